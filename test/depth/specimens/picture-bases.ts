import sharp from 'sharp'
import { base, image } from '../../fixtures/image.ts'
import { magick } from '../../fixtures/program.ts'
import { pixelsOf } from '../../matrix/decode.ts'
import type { Specimen } from '../family.ts'
import { fixed, photo, shows, specimen } from './bases.ts'

/** The sample, for formats that no other program reads. */
export const told = (format: string, maker: string, truth?: Specimen['truth']) =>
  fixed(`plain.${format}`, maker, [], image[format]!, { ...shows(base), ...truth })

/** By a program that reads a bitmap or another simple file. */
export const by = (
  maker: string,
  name: string,
  from: () => Promise<string>,
  coder: string,
  call: (input: string, output: string, scratch: string) => Promise<unknown>,
  { features = [], options = [], truth = shows(from) }: Traits = {},
) =>
  specimen(
    name,
    maker,
    features,
    async (output, scratch) => {
      const input = `${scratch}/in.${coder.toLowerCase().replace('3', '')}`
      await magick(await from(), ...options, `${coder}:${input}`)
      await call(input, output, scratch)
    },
    truth,
  )
interface Traits {
  features?: readonly string[]
  options?: readonly (string | number)[]
  truth?: Specimen['truth']
}

/** The photograph without colours. */
export const greyed = async () => magick(await photo(), ...grey, 'PNG:-').then((picture) => pixelsOf(sharp(picture)))

/** Options of ImageMagick. */
export const grey = ['-colorspace', 'Gray']
