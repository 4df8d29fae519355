import type { Condition, Engine, Step } from '../kernel/contract.ts'
import { pythonProgram } from './python/program.ts'

const { command, ...own } = pythonProgram('ocr', 'read.py')

/**
 * Reads the pages of a PDF that have no text, by OCRmyPDF and Tesseract. The arguments are a mode of
 * `programs/ocr/read.py` and, except for `look`, the languages. `features` are `ocr` and the installed languages.
 */
export const ocr: Engine = {
  ...own,
  name: 'ocr',
  version: [...command, 'version'],
  features: [...command, 'languages'],
  package: 'ocrmypdf',
  argv: (job, [mode, ...args]) => [command, mode, job.input, mode !== 'look' && [job.output, args]],
  progress: () => (line) => {
    const progress = /^\{"progress":([\d.]+)\}$/.exec(line.replaceAll(' ', ''))?.[1]
    return progress === undefined ? undefined : Number(progress)
  },
  sandbox: { ...own.sandbox, env: { OMP_THREAD_LIMIT: '1' }, processes: 128 },
}

/** The feature that routes need: Python may be installed without OCRmyPDF. */
const needs = ['ocr']

/** Facts about scanned pages of a PDF. */
export interface ScanFacts {
  /** How many pages have no text. */
  blank: 'none' | 'some' | 'all'
  /** Whether any text was found on those. */
  found: boolean
}

/** Finds out how many pages of a PDF have no text. */
export const lookForText: Step<object, ScanFacts> = {
  engine: ocr,
  needs,
  args: () => ['look'],
  output: false,
  facts: (lines) => {
    const [blank = 0, pages = 0] = (lines.findLast((line) => /^\d+ \d+$/.test(line)) ?? '').split(' ').map(Number)
    return { more: { blank: blank === 0 ? 'none' : blank < pages ? 'some' : 'all' } }
  },
}

/** Whether there are such pages. */
export const someBlank: Condition<object, ScanFacts> = { more: { blank: ['some', 'all'] } }

/**
 * Reads those pages. `layer` adds the text behind their pictures. `text` makes them of visible text, `flow` also of the
 * photos on them, for programs that take a document apart.
 *
 * @param languages As Tesseract calls them, most wanted first. Empty: all that are installed.
 */
export const readPages = (mode: 'layer' | 'text' | 'flow', languages: readonly string[]): Step<object, ScanFacts> => ({
  engine: ocr,
  needs,
  when: someBlank,
  args: () => [mode, languages.join(',') || 'all'],
  output: 'read.pdf',
  facts: (lines) => ({ more: { found: lines.some((line) => /^read [1-9]/.test(line)) } }),
})

/** Schema of the section `ocr` of the configuration, for the settings of plugins that read pages. */
export const ocrSettings = {
  type: 'object',
  properties: {
    languages: {
      type: 'array',
      items: { type: 'string', pattern: '^[A-Za-z_]+$' },
      default: [],
      description: 'Languages to read, as Tesseract calls them, most wanted first. Empty: all that are installed.',
    },
  },
  additionalProperties: false,
  default: {},
} as const
