import { gifsicle } from '../../engines/gifsicle.ts'
import { jpegtran } from '../../engines/jpegtran.ts'
import { optipng } from '../../engines/optipng.ts'
import { sharp } from '../../engines/sharp.ts'
import type { Condition, Route } from '../../kernel/contract.ts'
import { sequenceReader, sequenceWriter } from './animation.ts'
import { asks, none, recoding, replacing } from './asked.ts'
import type { ImageFacts, ImageStep } from './facts.ts'
import { brightReader, heifReader, heifWriter } from './heif.ts'
import { jxlReader, jxlWriter } from './jxl.ts'
import { carry, losses } from './metadata.ts'
import { finish, prepare, tidy, unfold } from './middle.ts'
import { again, gif, jpg, png, tif, webp } from './optimisers.ts'
import type { ImageOptions } from './options.ts'
import { smallest } from './recode.ts'
import { lookAt } from './sharp.ts'
import type { Reader, Writer } from './stages.ts'

/** Adds a condition to steps. A search for a size keeps its own `not`: it runs only if the job has options. */
const only = (when: Condition<ImageOptions, ImageFacts>, steps: readonly ImageStep[]): ImageStep[] =>
  steps.map((step) => ({ ...step, when: { ...when, ...step.when } }))

/** For a format that sharp cannot read, with one picture. Without options, nothing can be saved. */
function coded(format: string, { pages: _, ...reader }: Reader, writer: Writer): Route<ImageOptions> {
  const all = [...recoding, ...replacing]
  const making = [...reader.steps, prepare(reader), ...writer.steps]
  const steps: ImageStep[] = [
    ...only({ not: none(all, format) }, making),
    ...carry(losses(format, reader, format)),
    smallest((job) => (asks(all, job) ? ['results/001'] : [])),
    ...tidy(making),
  ]
  return { transform: [format], engine: writer.steps[0]!.engine, steps }
}

/** Without options, nothing can be saved in sequences and bright pictures. Others are encoded again. */
function avif(): Route<ImageOptions> {
  const making = [...sequenceReader.steps, unfold(sequenceReader), ...sequenceWriter.steps]
  const all = [...recoding, ...replacing]
  const mapping = [...brightReader.steps, { ...finish(brightReader), output: 'sharp.avif' }]
  const steps: ImageStep[] = [
    lookAt(({ lossless, bright }, job) => ({ lossless, bright, asked: asks(recoding, job) })),
    again({ moving: false, not: { more: { bright: [true] } } }),
    ...only({ moving: false, more: { bright: [true] }, not: none(all, 'avif') }, mapping),
    ...only({ moving: true, more: { asked: [true] } }, making),
    smallest((job, { moving, more }) => {
      if (!moving) return more?.bright && !asks(all, job) ? [] : ['sharp']
      return more?.asked ? ['sequence'] : []
    }),
    ...tidy([...making, ...mapping]),
  ]
  return { transform: ['avif'], engine: sharp, steps }
}

/** Makes each format smaller without changing it. If the result is not smaller, the source is returned. */
export const optimisations: Route<ImageOptions>[] = [
  { transform: ['jpg'], engine: jpegtran, steps: jpg },
  { transform: ['png'], engine: optipng, steps: png },
  { transform: ['gif'], engine: gifsicle, steps: gif },
  { transform: ['webp'], engine: sharp, steps: webp },
  avif(),
  { transform: ['tif'], engine: sharp, steps: tif },
  coded('heic', heifReader, heifWriter),
  coded('jxl', jxlReader, jxlWriter),
]
