import { cjxl, djxl, jxlinfo } from '../../engines/libjxl.ts'
import { magickWasm } from '../../engines/magick-wasm.ts'
import { eachPage, type Reader, type Writer } from './stages.ts'
import { sized } from './target-size.ts'

/** How the samples of a file are decoded. */
type Way = 'plain' | 'scaled' | 'elsewhere'

/**
 * djxl 0.7 writes samples of 8 and 16 bits as they are, and scales others only if it is told to. Beside alpha of
 * another depth, or scaled, it writes nonsense or nothing.
 */
function wayOf(lines: readonly string[]): Way {
  const text = lines.join('\n')
  const [, bits, float, alpha] = /, (\d+)-bit (float )?.*?(?:RGB|Grayscale|Gray)[^\n]*?(A|alpha)?$/im.exec(text) ?? []
  const depths = [...text.matchAll(/^ +bits_per_sample: (\d+)/gm)].map(([, depth]) => depth)
  const usual = !float && (bits === '8' || bits === '16')
  if (/^have_animation: 1/m.test(text)) return 'plain'
  if (!alpha && depths.length === 0) return usual ? 'plain' : 'scaled'
  return usual && depths.every((depth) => depth === bits) ? 'plain' : 'elsewhere'
}

const output = 'decoded/001.png'
const when = (...ways: Way[]) => ({ more: { way: ways } })

export const jxlReader: Reader = {
  from: ['jxl'],
  engine: djxl,
  moving: true,
  steps: [
    { engine: jxlinfo, args: () => ['-v'], facts: (lines) => ({ more: { way: wayOf(lines) } }), output: false },
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
  // Beside 16 bits, cjxl 0.7 writes alpha that djxl does not read.
  deep: 'opaque',
  steps: sized({
    engine: cjxl,
    ...eachPage,
    args: ({ options: { lossless, quality = 85 } }) => ['-d', lossless ? 0 : distance(quality).toFixed(3), '-e', 4],
  }),
}
