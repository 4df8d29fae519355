import type { Convert, Target } from '../../engines/programs/sharp/spec.ts'
import type { Job, Run } from '../../kernel/contract.ts'
import { avifSequenceDecoder } from './animation.ts'
import type { Decoder, Encoder } from './codec.ts'
import { encodeAll } from './encoding.ts'
import { carryMetadata } from './metadata.ts'
import type { ImageOptions } from './options.ts'
import { animatable, folderOf, look, picture, work } from './sharp.ts'

/** What stands before and after sharp. */
export interface Stages {
  decoder?: Decoder | undefined
  encoder?: Encoder | undefined
  /** Encodes animations, out of an animated PNG; a source that does not move goes the way of the others. */
  animator?: Encoder | undefined
}

/**
 * How a picture becomes another: decoder, sharp, encoder. Sharp does the work of a missing decoder or encoder, and
 * always that between them: orientation, colours, size, metadata and pages.
 */
export const pipeline =
  ({ decoder, encoder, animator }: Stages) =>
  async (job: Job<ImageOptions>, run: Run): Promise<void> => {
    const all = decoder?.paged || (decoder?.animated && (animator || animatable.includes(job.to)))
    const source: Partial<Convert> = decoder ? await decoded(decoder, job, run, all ? 'all' : 'first') : {}
    const moving = animator !== undefined && (await look(run, source.input ?? job.input)).moving
    const last = moving ? animator : encoder
    const facts = last
      ? await encodeAll(last, job, run, source, moving)
      : await picture(run, job, { ...source, ...results(job) })
    await carryMetadata(job, run, decoder, facts)
    const used = [decoder && folderOf(job, 'decoded'), last && folderOf(job)].filter((folder) => folder !== undefined)
    if (used.length > 0) await work(run, { task: 'discard', folders: used })
  }

const results = ({ to, output, pages, name }: Job) => ({ to: to as Target, output, zip: { output: pages, name } })

/** Where sharp finds what a decoder made, and what of it is meant. */
async function decoded(
  decoder: Decoder,
  job: Job<ImageOptions>,
  run: Run,
  pages: 'all' | 'first',
): Promise<Partial<Convert>> {
  const folder = folderOf(job, 'decoded')
  await work(run, { task: 'folder', output: folder })
  const { maxWidth: width, maxHeight: height } = job.options
  await decoder.decode(job, run, { folder, pages, ...(width && { width }), ...(height && { height }) })
  const timing = decoder === avifSequenceDecoder ? job.input : undefined
  return { input: folder, from: 'png', timing, pages: decoder.largest ? 'largest' : pages }
}
