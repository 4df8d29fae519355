import { fileURLToPath } from 'node:url'
import type { Engine } from '../kernel/contract.ts'
import { refusalIn } from './node/refusal.ts'

const folder = fileURLToPath(new URL('programs/pandoc', import.meta.url))

/** Our reader of FictionBook, for pandoc. */
export const fictionBook = `${folder}/fiction-book.lua`

/** Our reader of LaTeX, which knows more commands. */
export const latex = `${folder}/latex.lua`

/** Converts between markups and documents. `programs/pandoc/facts.lua` explains the metadata `facts-…`. */
export const pandoc: Engine = {
  name: 'pandoc',
  binary: ['pandoc'],
  version: ['--version'],
  package: 'pandoc',
  argv: (job, args) => [
    // Its style sheet for HTML has an off-white background, which shows on paper.
    '--standalone',
    '--quiet',
    '--wrap=none',
    '--variable=backgroundcolor=white',
    ...['docinfo', 'embedded', 'facts', 'pictures', 'outline', 'notes', 'tables', 'worded'].flatMap((filter) => [
      '--lua-filter',
      `${folder}/${filter}.lua`,
    ]),
    args,
    '-o',
    job.output,
    '--',
    job.input,
  ],
  reason: refusalIn,
  sandbox: { binds: [folder] },
}
