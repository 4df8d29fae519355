import type { Condition, Engine, Step } from '../kernel/contract.ts'
import { chromium } from './chromium.ts'
import { pythonProgram, versionWith } from './python/program.ts'

const { command, ...own } = pythonProgram('epub', 'pack.py')

/**
 * Makes an EPUB smaller without loss. `--clean` instead rewrites a book with odd paths, character sets or markup so
 * that other programs read all of it; `--flat` replaces cover pages in SVG. Both refuse locked books. `--leaves`
 * unpacks a clean book with a fixed layout into its pages.
 */
export const epub: Engine = {
  ...own,
  name: 'epub-packer',
  version: versionWith('lxml.etree'),
  package: 'python3-lxml',
  argv: (job, args) => [command, args, job.input, job.output],
}

const { command: bind, ...binder } = pythonProgram('epub', 'bind.py')

/** Binds the printed pages of a book, its input. The argument is the pattern of their names. */
const epubBinder: Engine = {
  ...binder,
  name: 'epub-binder',
  version: versionWith('lxml.etree', 'pikepdf'),
  package: 'python3-pikepdf',
  argv: (job, args) => [bind, job.input, job.output, args],
}

/** Makes any EPUB readable. */
export const cleanBook: Step = { engine: epub, when: { from: ['epub'] }, args: () => ['--clean'], output: 'clean.epub' }

/** The pages of a fixed layout, without the ending of their names. */
const LEAF = 'leaves/%03d.leaf'

/** Number of pages above which printing takes more than half a minute. */
const MANY = 100

/** Facts about a book. */
interface LayoutFacts {
  /** Whether its layout is fixed. */
  fixed: boolean
  /** Whether printing its pages is work for the heavy lane. */
  long: boolean
}

/** Whether the layout of a book is fixed, once `printLeaves` has looked. */
export const fixed: Condition<object, LayoutFacts> = { more: { fixed: [true] } }

/** Makes any EPUB readable, and prints each page of a fixed layout in its own size. */
export const printLeaves: readonly Step<object, LayoutFacts>[] = [
  cleanBook,
  {
    engine: epub,
    optional: true,
    args: () => ['--leaves'],
    facts: (lines) => {
      const count = Number(lines.findLast((line) => line.startsWith('leaves '))?.slice(7) ?? 0)
      const pages = Array.from({ length: Math.max(count, 1) }, () => ({}))
      return { pages, more: { fixed: count > 0, long: count > MANY } }
    },
    output: `${LEAF}.xhtml`,
  },
  { engine: chromium, when: fixed, heavy: { more: { long: [true] } }, each: 'page', output: `${LEAF}.pdf` },
  {
    engine: epubBinder,
    when: fixed,
    input: 'clean.epub',
    args: ({ scratch }) => [`${scratch}/${LEAF}.pdf`],
    output: 'printed.pdf',
  },
]
