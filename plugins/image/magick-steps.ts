import { coded, imagemagick } from '../../engines/imagemagick.ts'
import type { Args, Condition, Facts, Step } from '../../kernel/contract.ts'
import type { ImageOptions } from './options.ts'

/** Linear light, film density and television's colours become sRGB; what is sRGB already stays as it is. */
export const SRGB = ['-colorspace', 'sRGB']

/** How ImageMagick hands pictures on: quickly, with every depth as 8 or 16 bits, and without the time of day. */
export const PNG = ['compression-level=1', 'compression-filter=0', 'exclude-chunks=date,tIME'].flatMap((define) => [
  '-define',
  `png:${define}`,
])

/** Reads the source. `images` picks among those of the file, `args` say what they need. */
export const read = (args: Args, images = '[0]', when?: Condition<ImageOptions>): Step<ImageOptions> => ({
  engine: imagemagick,
  ...(when && { when }),
  args: ({ from }, { input, output }) => [
    [coded(from, input + images), '-auto-orient', args, '+repage', PNG, '+adjoin'],
    coded('png', output),
  ],
  output: 'decoded/%03d.png',
})

/** Asks what each image of the source is by its head, one line each, by ImageMagick's format escapes. */
export const ask = (
  escapes: string,
  tell: (lines: readonly string[]) => NonNullable<Facts['more']>,
  heads: Args = ['-ping'],
): Step<ImageOptions> => ({
  engine: imagemagick,
  args: ({ from }, { input }) => [heads, coded(from, input), '-format', `${escapes}\\n`, 'info:'],
  facts: (lines) => ({ more: tell(lines) }),
  output: false,
})
