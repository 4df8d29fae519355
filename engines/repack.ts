import type { Engine, Step } from '../kernel/contract.ts'
import { drawMetafiles, libreoffice } from './libreoffice.ts'
import { program, sharpModules } from './node/program.ts'

const modules = [...sharpModules, 'yazl', 'yauzl', 'buffer-crc32', 'pend']
const { command, ...own } = program('repack/write.ts', { modules, folders: ['text'] })

/**
 * Rewrites the package of an office document. `--bare` removes its metadata. `--small` compresses it and its images as
 * far as possible. `--show` makes a presentation start when it is opened. `--flow` moves the text boxes of a Word
 * document between its paragraphs, names its headings, and writes their numbers. `--untitled` takes what pandoc knows
 * of a document out of its text.
 */
export const repack: Engine = {
  ...own,
  name: 'repack',
  argv: (job, args) => [command, job.input, job.output, args],
}

/** Facts about a package. */
export interface PackageFacts {
  /** Whether it has Windows metafiles. */
  metafiles: boolean
}

/** Facts that a step of `repack` prints. */
export const packageFacts = (lines: readonly string[]) => ({ more: { metafiles: lines.includes('metafiles') } })

/** Pictures in PNG in place of Windows metafiles, which few programs show. Follows a step with `packageFacts`. */
export const showMetafiles: Step = {
  engine: libreoffice,
  needs: ['uno', 'impress'],
  when: { more: { metafiles: [true] } },
  args: () => [drawMetafiles],
  output: 'shown.{from}',
  optional: true,
}
