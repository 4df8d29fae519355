import { exiftool } from '../../engines/exiftool.ts'
import { ffmpeg } from '../../engines/ffmpeg.ts'
import { ffprobe } from '../../engines/ffprobe.ts'
import { gifsicle } from '../../engines/gifsicle.ts'
import { jpegtran } from '../../engines/jpegtran.ts'
import { optipng } from '../../engines/optipng.ts'
import { sharp } from '../../engines/sharp.ts'
import type { Engine, Route } from '../../kernel/contract.ts'
import { decoders } from './decoders.ts'
import { encoders } from './encoders.ts'
import { avif, gif, jpg, modern, type Optimise, png, recodes, replaces, tif } from './optimisers.ts'
import type { ImageOptions } from './options.ts'
import { pipeline } from './pipeline.ts'
import { look, work } from './sharp.ts'

const route = (format: string, optimise: Optimise, ...engines: [Engine, ...Engine[]]): Route<ImageOptions> => ({
  transform: [format],
  engine: engines[0],
  uses: [...new Set([...engines.slice(1), sharp])].filter((engine) => engine !== engines[0]),
  convert: async (job, run) => {
    const candidates = await optimise(job, run, await look(run, job.input))
    const original = replaces(job) && candidates.length > 0 ? [] : [job.input]
    await work(run, { task: 'smaller', files: [...original, ...candidates], output: job.output })
  },
})

/** For a format that sharp does not know: nothing to gain without options, and one picture. */
function coded(format: string): Route<ImageOptions>[] {
  const decoder = decoders.find(({ from }) => from.includes(format))
  const encoder = encoders.find(({ to }) => to.includes(format))
  if (!decoder || !encoder) return []
  const convert = pipeline({ decoder: { ...decoder, paged: false }, encoder })
  return [
    {
      transform: [format],
      engine: encoder.engine,
      needs: encoder.needs ?? [],
      uses: [...new Set([decoder.engine, ...(decoder.uses ?? []), ...(encoder.uses ?? []), sharp, exiftool])],
      convert: async (job, run) => {
        const output = `${job.scratch}/result.${format}`
        const asked = replaces(job) || recodes(job)
        if (asked) await convert({ ...job, output }, run)
        const files = replaces(job) ? [output] : asked ? [job.input, output] : [job.input]
        await work(run, { task: 'smaller', files, output: job.output })
      },
    },
  ]
}

/** Each format made smaller as itself; what does not get smaller comes back as it was. */
export const optimisations: Route<ImageOptions>[] = [
  route('jpg', jpg, jpegtran),
  route('png', png, optipng),
  route('gif', gif, gifsicle),
  route('webp', modern, sharp),
  route('avif', avif, sharp, ffmpeg, ffprobe),
  route('tif', tif, sharp, exiftool),
  ...coded('heic'),
  ...coded('jxl'),
]
