import { cjxl, djxl, jxlinfo } from '../../engines/libjxl.ts'
import { magickWasm } from '../../engines/magick-wasm.ts'
import { tone } from '../../engines/tone.ts'
import { fail } from '../../kernel/kit.ts'
import type { ImageFacts, ImageStep } from './facts.ts'
import { eachPage, type Reader, type Writer } from './stages.ts'
import { sized } from './target-size.ts'
import { qualityOf } from './targets.ts'

type Samples = ImageFacts['samples']

/**
 * djxl 0.7 writes samples of 8 and 16 bits as they are, and scales others only if it is told to. Beside alpha of
 * another depth, or scaled, it writes nonsense or nothing.
 */
function samplesIn(lines: readonly string[]): Samples {
  const text = lines.join('\n')
  const [, bits, float, alpha] = /, (\d+)-bit (float )?.*?(?:RGB|Grayscale|Gray)[^\n]*?(A|alpha)?$/im.exec(text) ?? []
  const depths = [...text.matchAll(/^ +bits_per_sample: (\d+)/gm)].map(([, depth]) => depth)
  const usual = !float && (bits === '8' || bits === '16')
  if (/^have_animation: 1/m.test(text)) return 'plain'
  if (!alpha && depths.length === 0) return usual ? 'plain' : 'scaled'
  return usual && depths.every((depth) => depth === bits) ? 'plain' : 'elsewhere'
}

/** Transfer functions of high dynamic range, and the primaries that pictures have with them (ITU-T H.273). */
const TRANSFERS = { PQ: 16, HLG: 18 } as const
const PRIMARIES: Readonly<Record<string, number>> = { 'Rec.2100': 9, P3: 12 }

/** The numbers of the colours of a picture, if it has a high dynamic range. */
function brightnessIn(lines: readonly string[]): readonly number[] | undefined {
  const [, primaries = '', transfer] = /(\S+) primaries, (PQ|HLG) transfer/.exec(lines.join('\n')) ?? []
  return transfer ? [TRANSFERS[transfer as keyof typeof TRANSFERS], PRIMARIES[primaries] ?? 1] : undefined
}

const seen = (lines: readonly string[]) => {
  if (lines.some((line) => /^JPEG XL .*\bCMYK/.test(line)))
    throw fail('CONVERSION_ERROR', 'The JPEG XL picture is in inks (CMYK), which no program here reads')
  const colours = brightnessIn(lines)
  return { samples: samplesIn(lines), bright: colours !== undefined, ...(colours && { colours }) }
}

const output = 'decoded/001.png'
const bright = 'bright.png'
/** Pictures of high dynamic range are tone mapped by another step. */
const decoded = (samples: Samples, args?: readonly string[]): ImageStep[] => {
  const how = { engine: djxl, ...(args && { args: () => args }) }
  const more = { samples: [samples] }
  return [
    { ...how, when: { more: { ...more, bright: [false] } }, output },
    { ...how, when: { more: { ...more, bright: [true] } }, output: bright },
  ]
}

export const jxlReader: Reader = {
  from: ['jxl'],
  engine: djxl,
  moving: true,
  steps: [
    { engine: jxlinfo, args: () => ['-v'], facts: (lines) => ({ more: seen(lines) }), output: false },
    ...decoded('plain'),
    ...decoded('scaled', ['--bits_per_sample=16']),
    { engine: magickWasm, when: { more: { samples: ['elsewhere'] } }, args: () => ['JXL'], output },
    {
      engine: tone,
      when: { written: bright },
      input: bright,
      args: (_, { facts }) => [facts.more?.colours],
      output,
    },
  ],
}

/**
 * Butteraugli distance of a quality of 1 to 100, as libjxl 0.8 and later count it; older ones leave the range of
 * distances below 10. @see JxlEncoderDistanceFromQuality in jxl/encode.h
 */
const distance = (q: number) => (q >= 30 ? 0.1 + (100 - q) * 0.09 : (53 / 3000) * q * q - (23 / 20) * q + 25)

export const jxlWriter: Writer = {
  to: ['jxl'],
  steps: sized({
    engine: cjxl,
    ...eachPage,
    args: (job) => ['-d', job.options.lossless ? 0 : distance(qualityOf(job)).toFixed(3), '-e', 4],
  }),
}
