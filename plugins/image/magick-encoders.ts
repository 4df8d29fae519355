import { coded, imagemagick } from '../../engines/imagemagick.ts'
import type { Args } from '../../kernel/contract.ts'
import type { Encoder, Picture } from './codec.ts'

type Write = (picture: Picture) => Args

/** ImageMagick as an encoder: what the formats hold, and the arguments between the picture and the result. */
const write = (to: readonly string[], traits: Partial<Encoder> = {}, args: Write = () => []): Encoder => ({
  engine: imagemagick,
  to,
  ...traits,
  encode: (job, run, picture) =>
    run(imagemagick, [coded('png', picture.input), args(picture), coded(job.to, picture.output)]),
})

/** A picture whose alpha is another one's. */
const masked = (colours: Args, alpha: Args): Args => [colours, alpha, '-compose', 'CopyOpacity', '-composite']

const paper = ['-background', 'white', '-alpha', 'remove', '-alpha', 'off']
const opaque = { opaque: true }
const deep = { deep: true }
const colour: Write = ({ alpha }) => ['-type', alpha ? 'TrueColorMatte' : 'TrueColor']
const gray: Write = () => ['-colorspace', 'Gray']

export const magickEncoders: readonly Encoder[] = [
  write(['sgi', 'miff']),
  write(['pam'], deep),
  write(['pcx', 'ras', 'xwd', 'pict'], opaque, colour),
  write(['ppm', 'dpx'], { ...opaque, ...deep }, colour),
  // Linear light.
  write(['hdr', 'pfm'], { ...opaque, ...deep }, () => ['-type', 'TrueColor', '-colorspace', 'RGB']),
  // Three planes are more than most readers of FITS take.
  write(['pgm', 'fits'], { ...opaque, ...deep }, gray),
  write(['pbm', 'xbm', 'wbmp'], opaque, () => [
    '-colorspace',
    'Gray',
    '-dither',
    'FloydSteinberg',
    '-remap',
    'PATTERN:gray50',
  ]),
  // The version without alpha is the one that everything reads.
  write(['bmp'], {}, (picture) => [colour(picture), '-define', `bmp:format=bmp${picture.alpha ? 4 : 3}`]),
  // Else the header says the contrary of the order in which the rows are.
  write(['tga'], {}, (picture) => [colour(picture), '-orient', 'TopLeft']),
  write(['dds'], {}, ({ alpha }) => [
    ...['-define', `dds:compression=${alpha ? 'dxt5' : 'dxt1'}`, '-define', 'dds:mipmaps=0'],
  ]),
  {
    // With alpha, the flattened picture comes first, as Photoshop writes it: on white, with the alpha beside it.
    engine: imagemagick,
    to: ['psd'],
    deep: true,
    encode: (_, run, { input, output, alpha }) => {
      const source = coded('png', input)
      const flat = ['(', masked(['(', source, paper, ')'], ['(', source, '-alpha', 'extract', ')']), ')']
      return run(imagemagick, [alpha && flat, source, '-compress', 'None', coded('psd', output)])
    },
  },
  {
    // A pixel is opaque or not at all: half transparent ones take the colour that they have on white.
    engine: imagemagick,
    to: ['xpm'],
    encode: (_, run, { input, output, alpha }) => {
      const source = coded('png', input)
      const colours = [source, paper, '-colors', 255]
      const mask = ['(', source, '-alpha', 'extract', '-threshold', '50%', ')']
      return run(imagemagick, [alpha ? masked(['(', colours, ')'], mask) : colours, coded('xpm', output)])
    },
  },
]
