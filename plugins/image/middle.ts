import type { Convert, Target } from '../../engines/programs/sharp/spec.ts'
import { sharp } from '../../engines/sharp.ts'
import type { Job } from '../../kernel/contract.ts'
import { folderOfOutput } from '../../kernel/kit.ts'
import type { ImageStep } from './facts.ts'
import { holds, made, pictures, work } from './sharp.ts'
import type { Reader } from './stages.ts'
import { traitsOf } from './targets.ts'

// Between a reader and a writer, sharp does orientation, colours, size, metadata and pages.

/** The input of sharp: the reader's output or, without a reader, the source. */
export const inputOf = (reader: Reader | undefined) => reader?.drawing ?? (reader ? 'decoded/' : 'source')

const source = (reader: Reader | undefined, job: Job): Partial<Convert> => {
  if (reader?.drawing) return { from: 'svg', lossy: true }
  return reader ? { from: 'png', pages: reader.pages ?? 'first', timing: reader.timed ? job.input : undefined } : {}
}

/** Makes the result. Several pages become one tif, or several files in a zip. */
export const finish = (reader?: Reader): ImageStep => ({
  engine: sharp,
  input: inputOf(reader),
  args: (job, now) => {
    const zip = { output: job.pages, name: job.name }
    return pictures(job, now, { ...source(reader, job), to: job.to as Target, output: now.output, zip })
  },
  facts: made,
})

/** Makes a PNG of each page for a writer. */
export const prepare = (reader: Reader | undefined): ImageStep => ({
  engine: sharp,
  input: inputOf(reader),
  output: 'pages/%03d.png',
  args: (job, now) =>
    pictures(job, now, {
      ...source(reader, job),
      to: 'png',
      folder: now.output.replace(/\/[^/]*$/, ''),
      holds: { ...holds(traitsOf(job.to)), format: job.to },
      encoding: { draft: true },
    }),
  facts: made,
})

/** Makes an animated PNG of all frames, for the writer of AVIF sequences. */
export const unfold = (reader?: Reader): ImageStep => ({
  engine: sharp,
  input: inputOf(reader),
  output: 'frames.apng',
  args: (job, now) =>
    pictures(job, now, {
      ...source(reader, job),
      to: 'apng',
      output: now.output,
      encoding: { draft: true },
    }),
  facts: made,
})

/** Packs the files of several pages into one zip. */
export const zip: ImageStep = {
  engine: sharp,
  when: { pages: 'several' },
  args: ({ name, pages }, { inputs }) => work({ task: 'zip', files: inputs, name, output: pages }),
}

/** Removes the folders of the steps: a process that leaves no files can be used again. */
export function tidy(steps: readonly ImageStep[]): ImageStep[] {
  const folders = steps.flatMap(({ output }) => (output && folderOfOutput(output)) || [])
  if (folders.length === 0) return []
  const places = (job: Job) => [...new Set(folders)].map((folder) => `${job.scratch}/${folder}`)
  return [{ engine: sharp, args: (job) => work({ task: 'discard', folders: places(job) }), output: false }]
}
