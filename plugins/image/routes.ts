import { sharp } from '../../engines/sharp.ts'
import type { Engine, Route } from '../../kernel/contract.ts'
import { sequenceReader, sequenceWriter } from './animation.ts'
import type { ImageStep } from './facts.ts'
import { brightPngReader, brightReader } from './heif.ts'
import { carry, losses } from './metadata.ts'
import { finish, inputOf, prepare, tidy, unfold, zip } from './middle.ts'
import type { ImageOptions } from './options.ts'
import { readers } from './readers.ts'
import { look, readable } from './sharp.ts'
import type { Reader, Writer } from './stages.ts'
import { writable } from './targets.ts'
import { writers } from './writers.ts'

type Steps = readonly ImageStep[]

/** Formats that sharp reads and that can be animated. */
const moving: readonly string[] = ['gif', 'webp', 'apng']
const still = readable.filter((format) => !moving.includes(format))
/** `animated` writes AVIF from sources that can be animated. */
const stillTargets = writable.filter((format) => !sequenceWriter.to.includes(format))

/** Writes a file of a target with sharp only. */
const native = (reader?: Reader) => [finish(reader)]

/** Writes a file of a target with a writer, from a PNG of each page. */
const written = (reader: Reader | undefined, writer: Writer) => [prepare(reader), ...writer.steps, zip]

/** Writes AVIF: animations with FFmpeg, still pictures with sharp. */
const animated = (reader?: Reader): Steps => [
  { ...look, input: inputOf(reader) },
  { ...finish(reader), when: { moving: false }, output: 'still.{to}' },
  { ...unfold(reader), when: { moving: true } },
  ...sequenceWriter.steps.map((step) => ({ ...step, when: { ...step.when, moving: true } })),
]

/**
 * Routes from the same steps: a reader of the source, a writer of the target, and a copier of metadata where it would
 * be lost.
 */
function routes(
  { from, to, engine }: { from: readonly string[]; to: readonly string[]; engine: Engine },
  reader: Reader | undefined,
  writing: Steps,
): Route<ImageOptions>[] {
  const byLoss = Map.groupBy(
    from.flatMap((source) => to.map((target) => ({ source, target, exif: losses(source, reader, target) }))),
    ({ source, exif }) => `${source === 'tif'} ${exif}`,
  )
  return [...byLoss.values()].map((pairs) => {
    const steps = [...(reader?.steps ?? []), ...writing, ...carry(pairs[0]!.exif)]
    const sources = pairs.map(({ source }) => source)
    const targets = pairs.map(({ target }) => target)
    return { from: [...new Set(sources)], to: [...new Set(targets)], engine, steps: [...steps, ...tidy(steps)] }
  })
}

const engineOf = (stage: Reader | Writer | undefined): Engine => stage?.engine ?? stage?.steps[0]?.engine ?? sharp

const refused: readonly Reader[] = [brightReader, brightPngReader, sequenceReader]

/** Formats that sharp reads, then those of each reader, at last what sharp refuses: bright pictures, and sequences. */
const sources = [
  { reader: undefined, from: still, native: writable },
  { reader: undefined, from: moving, native: stillTargets },
  ...readers.map((reader) => ({ reader, from: reader.from, native: reader.moving ? stillTargets : writable })),
  ...refused.map((reader) => ({ reader, from: reader.from, native: stillTargets })),
]

/** Animations to AVIF first, then every source to the targets of sharp and of every writer. */
export const conversions: Route<ImageOptions>[] = [
  ...routes({ from: moving, to: sequenceWriter.to, engine: engineOf(sequenceWriter) }, undefined, animated()),
  ...readers
    .filter((reader) => reader.moving)
    .flatMap((reader) =>
      routes({ from: reader.from, to: sequenceWriter.to, engine: engineOf(sequenceWriter) }, reader, animated(reader)),
    ),
  ...sources.flatMap(({ reader, from, native: to }) => [
    ...routes({ from, to, engine: engineOf(reader) }, reader, native(reader)),
    ...writers.flatMap((writer) =>
      routes({ from, to: writer.to, engine: engineOf(writer) }, reader, written(reader, writer)),
    ),
  ]),
].filter((route) => 'from' in route && route.from.some((from) => route.to.some((to) => to !== from)))
