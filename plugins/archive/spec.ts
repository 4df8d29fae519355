import { archive } from '../../engines/archive.ts'
import { bsdtar, bsdtarFrames } from '../../engines/libarchive.ts'
import type { Rules, Source, Spec } from '../../engines/programs/archive/spec.ts'
import type { Args, Engine, Job, Route } from '../../kernel/contract.ts'
import type { ArchiveOptions } from './options.ts'
import { writing } from './writing.ts'

type ArchiveJob = Job<ArchiveOptions>

/** A program with its arguments, as they are written down in a spec. */
export function command(engine: Engine, args: Args): string[] {
  const flat = (list: Args): string[] =>
    list.flatMap((arg) => (Array.isArray(arg) ? flat(arg) : arg === 0 || arg ? [String(arg)] : arg === '' ? [''] : []))
  return [engine.binary[0]!, ...flat(args)]
}

/** What is only in some ways of reading. */
export interface Way {
  source: (job: ArchiveJob) => Source
  /** For files of a kind that the first way does not read whole. */
  older?: { kind: NonNullable<Spec['older']>['kind']; source: Way['source'] }
}

/** Targets of which the format, or its writer, knows no hard links. */
const WITHOUT_LINKS = ['zip', 'jar', '7z', 'cpio', 'iso']
/** Sources whose links lead through a whole system. */
const SYSTEMS = ['deb', 'rpm', 'cpio']
/** Sources of which some writers part folders as DOS does. */
const OF_DOS = ['zip', 'jar', 'cab', 'lha', 'arj', 'rar']

const GIGABYTE = 2 ** 30

/** More than archives of files have, and little enough to be listed. */
const MOST_ENTRIES = 100_000

const rulesOf = ({ from, to, intent, size }: ArchiveJob): Rules => ({
  filesForLinks: WITHOUT_LINKS.includes(to),
  anyLinks: SYSTEMS.includes(from),
  backslashes: OF_DOS.includes(from),
  manifest: to === 'jar' && from !== 'jar',
  smaller: intent === 'transform',
  // A small archive may unpack to much; a large one to no more than compression of files explains.
  limits: { entries: MOST_ENTRIES, bytes: Math.min(20 * GIGABYTE, Math.max(GIGABYTE, 200 * size)) },
})

const specOf = (job: ArchiveJob, { source, older }: Way): Spec => ({
  ...{ input: job.input, output: job.output, scratch: job.scratch, source: source(job), rules: rulesOf(job) },
  write: command(bsdtar, bsdtarFrames.write(job.output, writing(job))),
  ...(older && { older: { kind: older.kind, source: older.source(job) } }),
})

/** How a route converts that reads its source in one way. */
export const by = (engine: Engine, way: Way, ...uses: Engine[]) =>
  ({
    engine,
    uses: [...new Set([...uses, bsdtar, archive])].filter((other) => other !== engine),
    convert: async (job, run) => void (await run(archive, [JSON.stringify(specOf(job, way))])),
  }) satisfies Partial<Route<ArchiveOptions>>
