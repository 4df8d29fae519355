import { cjxl, djxl, jxlinfo } from '../../engines/libjxl.ts'
import { magickWasm } from '../../engines/magick-wasm.ts'
import type { ImageFacts } from './facts.ts'
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

const output = 'decoded/001.png'
const when = (samples: Samples) => ({ more: { samples: [samples] } })

export const jxlReader: Reader = {
  from: ['jxl'],
  engine: djxl,
  moving: true,
  steps: [
    { engine: jxlinfo, args: () => ['-v'], facts: (lines) => ({ more: { samples: samplesIn(lines) } }), output: false },
    { engine: djxl, when: when('plain'), output },
    { engine: djxl, when: when('scaled'), args: () => ['--bits_per_sample=16'], output },
    { engine: magickWasm, when: when('elsewhere'), args: () => ['JXL'], output },
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
