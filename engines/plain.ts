import type { Engine } from '../kernel/contract.ts'
import { program } from './node/program.ts'

const { command, ...own } = program('plain/write.ts', { folders: ['text'] })

/**
 * Rewrites text, HTML or XML in UTF-8, from any character set, and corrects the declaration of the character set.
 * `--unnamed` replaces entities that only HTML defines with their characters. `--xhtml` makes HTML of XHTML that may
 * not be well-formed. `--complete` adds tags that HTML lets authors omit. `--jats` and `--wiki` put notes and emphasis
 * where pandoc reads them. `--title=TITLE` prepares a page for a browser: the title is for one without its own.
 */
export const plain: Engine = {
  ...own,
  name: 'plain',
  argv: (job, args) => [command, job.input, job.output, args],
}
