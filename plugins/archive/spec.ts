import { archive } from '../../engines/archive.ts'
import { bsdtar, bsdtarFrames } from '../../engines/libarchive.ts'
import type { Rules, Source, Spec } from '../../engines/programs/archive/spec.ts'
import type { Args, Engine, Job, Method, Step } from '../../kernel/contract.ts'
import type { ArchiveOptions } from './options.ts'
import { writing } from './writing.ts'

type ArchiveJob = Job<ArchiveOptions>

/** A program with its arguments, as a spec has them. */
export function command(engine: Engine, args: Args): string[] {
  const flat = (list: Args): string[] =>
    list.flatMap((arg) => (Array.isArray(arg) ? flat(arg) : arg === 0 || arg ? [String(arg)] : arg === '' ? [''] : []))
  return [engine.binary[0]!, ...flat(args)]
}

/** How an archive is read. */
export interface Reading {
  source: (job: ArchiveJob) => Source
  /** For what `source` does not read whole. */
  exception?: { when: NonNullable<Spec['exception']>['when']; source: Reading['source'] }
}

/** Targets whose format, or its writer, has no hard links. */
const WHOLE_FILES = ['zip', 'jar', '7z', 'cpio', 'iso']
/** Sources whose links may lead to any place of a system. */
const SYSTEMS = ['deb', 'rpm', 'cpio']
/** Sources of which some writers separate folders by backslashes. */
const OF_DOS = ['zip', 'jar', 'cab', 'lha', 'arj', 'rar', 'cbz', 'cbr']

const GIGABYTE = 2 ** 30

/** More than real archives have, and few enough to be listed. */
const MAX_ENTRIES = 100_000

const rulesOf = ({ from, to, intent, size }: ArchiveJob): Rules => ({
  wholeFiles: WHOLE_FILES.includes(to),
  anyLinks: SYSTEMS.includes(from),
  backslashes: OF_DOS.includes(from),
  manifest: to === 'jar' && from !== 'jar',
  smaller: intent === 'transform',
  // A small archive may unpack to a lot, a large one only to what usual files explain.
  limits: { entries: MAX_ENTRIES, bytes: Math.min(20 * GIGABYTE, Math.max(GIGABYTE, 200 * size)) },
})

const specOf = (job: ArchiveJob, { source, exception }: Reading): Spec => ({
  input: job.input,
  output: job.output,
  scratch: job.scratch,
  source: source(job),
  ...(exception && { exception: { when: exception.when, source: exception.source(job) } }),
  write: command(bsdtar, bsdtarFrames.write(job.output, writing(job))),
  rules: rulesOf(job),
})

/** Packs an archive anew: the program `archive` pipes a reader into bsdtar, which writes. */
const repacking = (engine: Engine, reading: Reading, others: readonly Engine[]): Step<ArchiveOptions> => ({
  engine: archive,
  uses: [engine, ...others, bsdtar],
  args: (job) => [JSON.stringify(specOf(job, reading))],
})

/**
 * Packs an archive anew in one run.
 *
 * @param engine The reader, which the catalogue shows.
 * @param others Further programs that read.
 */
export const repack = (engine: Engine, reading: Reading, ...others: Engine[]): Method<ArchiveOptions> => ({
  engine,
  steps: [repacking(engine, reading, others)],
})
