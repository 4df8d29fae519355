import type { Condition, Engine, Page, Step } from '../kernel/contract.ts'
import { fail } from '../kernel/kit.ts'
import { chromium } from './chromium.ts'
import { pythonProgram, versionWith } from './python/program.ts'

const { command, ...own } = pythonProgram('epub', 'pack.py')

/**
 * Makes an EPUB smaller without loss. `--clean` instead rewrites a book with odd paths, character sets or markup so
 * that other programs read all of it; `--flat` replaces cover pages in SVG. Both refuse locked books.
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

/** Maximum number of pages of a fixed layout; above it, RESOURCE_LIMIT. */
const MAX = 1000

/** Facts about a book. */
interface LayoutFacts {
  /** Whether its layout is fixed. */
  fixed: boolean
}

/** Whether the layout of a book is fixed, once `cleanBook` has looked. */
export const fixed: Condition<object, LayoutFacts> = { more: { fixed: [true] } }

/** Makes any EPUB readable. Looks for a fixed layout. */
export const cleanBook: Step<object, LayoutFacts> = {
  engine: epub,
  when: { from: ['epub'] },
  args: () => ['--clean'],
  facts: (lines) => ({ more: { fixed: lines.includes('fixed') } }),
  output: 'clean.epub',
}

function leavesIn(lines: readonly string[]): Page[] {
  const count = Number(lines.findLast((line) => line.startsWith('leaves '))?.slice(7))
  if (count > MAX) throw fail('RESOURCE_LIMIT', `The book has ${count} pages; ${MAX} of a fixed size can be printed`)
  return Array.from({ length: count }, () => ({}))
}

/** Prints each page of a fixed layout in its own size. */
export const printLeaves: readonly Step<object, LayoutFacts>[] = [
  {
    engine: epub,
    when: fixed,
    args: () => ['--leaves'],
    facts: (lines) => ({ pages: leavesIn(lines) }),
    output: 'leaves/%03d.leaf.xhtml',
  },
  { engine: chromium, when: fixed, each: 'page', input: 'leaves/%03d.leaf.xhtml', output: 'leaves/%03d.leaf.pdf' },
  {
    engine: epubBinder,
    when: fixed,
    input: 'clean.epub',
    args: ({ scratch }) => [`${scratch}/leaves/%03d.leaf.pdf`],
    output: 'printed.pdf',
  },
]
