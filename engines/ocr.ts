import type { Condition, Engine, Step } from '../kernel/contract.ts'
import { mutool } from './mupdf.ts'
import { pythonProgram } from './python/program.ts'

const { command, ...own } = pythonProgram('ocr', 'read.py')

/**
 * Reads the pages of a PDF whose words are not text, by OCRmyPDF and Tesseract. The arguments are a mode of
 * `programs/ocr/read.py` and what it takes after the output. `features` are `ocr` and the installed languages.
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

const uses = [mutool]

/** What `look` prints of a PDF. */
interface Found {
  unread: string
  read: number
  pages: number
  broken: readonly string[] | null
  turned: boolean
}

/** Facts about pages of a PDF that must be read by text recognition. */
export interface ScanFacts {
  /** How many pages there are. */
  blank: 'none' | 'some' | 'all'
  /** Whether any text was found on those. */
  found: boolean
  /** These pages. */
  unread: string
  /** Whether the file needs no repair, and what is to be repaired. */
  sound: boolean
  broken: readonly string[]
  /** Whether most text is in columns from right to left, or has Arabic ligatures from left to right. */
  turned: boolean
}

const look: Step<object, ScanFacts> = {
  engine: ocr,
  needs,
  uses,
  args: () => ['look'],
  output: false,
  facts: (lines) => {
    const found = JSON.parse(lines.findLast((line) => line.startsWith('{"unread"')) ?? '{}') as Partial<Found>
    const { unread = '', read = 0, pages = 0, broken, turned = false } = found
    const blank = read === 0 ? 'none' : read < pages ? 'some' : 'all'
    return { more: { blank, unread, sound: !broken, broken: broken ?? [], turned }, source: { pages } }
  },
}

/** Decrypts a PDF that only its owner may change, repairs a damaged one, and finds letters for glyphs without any. */
const mend: Step<object, ScanFacts> = {
  engine: ocr,
  needs,
  uses,
  when: { more: { sound: [false] } },
  args: (_, { facts }) => ['mend', JSON.stringify(facts.more?.broken)],
  output: 'mended.pdf',
}

/**
 * Finds out how many pages of a PDF must be read: `facts.more.blank` is `none`, `some` or `all`. They have no text, few
 * letters on a scan, or text in fonts that do not say which letters their glyphs are. Mends the file, if it must be.
 * `facts.more.turned` tells whether its text is in an order that few programs understand.
 */
export const lookForText: readonly Step<object, ScanFacts>[] = [look, mend]

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
  args: (_, { facts }) => [mode, languages.join(',') || 'all', String(facts.more?.unread)],
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
