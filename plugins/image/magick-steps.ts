import { coded, imagemagick } from '../../engines/imagemagick.ts'
import type { Args, Condition } from '../../kernel/contract.ts'
import type { ImageFacts, ImageStep } from './facts.ts'
import type { ImageOptions } from './options.ts'

/** Converts linear light, film density and video colours to sRGB. sRGB stays unchanged. */
export const SRGB = ['-colorspace', 'sRGB']

/** Intermediate pictures of ImageMagick: fast to write, 8 or 16 bits for every depth, without timestamps. */
export const PNG = ['compression-level=1', 'compression-filter=0', 'exclude-chunks=date,tIME'].flatMap((define) => [
  '-define',
  `png:${define}`,
])

/** Reads the source. `images` selects images of the file, `args` are their arguments. */
export const read = (args: Args, images = '[0]', when?: Condition<ImageOptions, ImageFacts>): ImageStep => ({
  engine: imagemagick,
  ...(when && { when }),
  args: ({ from }, { input, output }) => [
    [coded(from, input + images), '-auto-orient', args, '+repage', PNG, '+adjoin'],
    coded('png', output),
  ],
  output: 'decoded/%03d.png',
})

/** Reads properties from the header of each image of the source, one line each, by ImageMagick's format escapes. */
export const ask = (
  escapes: string,
  tell: (lines: readonly string[]) => Partial<ImageFacts>,
  heads: Args = ['-ping'],
): ImageStep => ({
  engine: imagemagick,
  args: ({ from }, { input }) => [heads, coded(from, input), '-format', `${escapes}\\n`, 'info:'],
  facts: (lines) => ({ more: tell(lines) }),
  output: false,
})

/** Writes a picture that an earlier step made, or the source by the coder of another format, as PNG. */
export const rewrite = (format: string, input: string, output: string): Args => [
  coded(format, `${input}[0]`),
  '+repage',
  PNG,
  coded('png', output),
]
