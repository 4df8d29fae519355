import { coded, imagemagick } from '../../engines/imagemagick.ts'
import type { Args, Page, StepState } from '../../kernel/contract.ts'
import { eachPage, type Writer } from './stages.ts'

type Write = (page: Page) => Args

/** ImageMagick's whole command line. */
const command = (to: readonly string[], args: (now: StepState) => Args): Writer => ({
  to,
  steps: [{ engine: imagemagick, ...eachPage, args: (job, now) => [args(now), coded(job.to, now.output)] }],
})

/** The arguments between the picture and the result. */
const write = (to: readonly string[], args: Write = () => []): Writer =>
  command(to, ({ input, page }) => [coded('png', input), args(page)])

/** A picture with the alpha of another one. */
const masked = (colours: Args, alpha: Args): Args => [colours, alpha, '-compose', 'CopyOpacity', '-composite']

const paper = ['-background', 'white', '-alpha', 'remove', '-alpha', 'off']
const colour: Write = ({ alpha }) => ['-type', alpha ? 'TrueColorMatte' : 'TrueColor']
const gray: Write = () => ['-colorspace', 'Gray']

export const magickWriters: readonly Writer[] = [
  write(['sgi', 'miff', 'pam']),
  write(['pcx', 'ras', 'xwd', 'pict', 'ppm', 'dpx'], colour),
  // Linear light.
  write(['hdr', 'pfm'], () => ['-type', 'TrueColor', '-colorspace', 'RGB']),
  // Most readers of FITS do not support three planes.
  write(['pgm', 'fits'], gray),
  write(['pbm', 'xbm', 'wbmp'], () => ['-colorspace', 'Gray', '-dither', 'FloydSteinberg', '-remap', 'PATTERN:gray50']),
  // Every program reads the version without alpha.
  write(['bmp'], (page) => [colour(page), '-define', `bmp:format=bmp${page.alpha ? 4 : 3}`]),
  // Otherwise the header declares the wrong order of rows.
  write(['tga'], (page) => [colour(page), '-orient', 'TopLeft']),
  write(['dds'], ({ alpha }) => ['-define', `dds:compression=${alpha ? 'dxt5' : 'dxt1'}`, '-define', 'dds:mipmaps=0']),
  // With alpha, the flattened picture comes first, as in Photoshop: on white, followed by the alpha.
  command(['psd'], ({ input, page }) => {
    const source = coded('png', input)
    const flat = ['(', masked(['(', source, paper, ')'], ['(', source, '-alpha', 'extract', ')']), ')']
    return [page.alpha && flat, source, '-compress', 'None']
  }),
  // A pixel is opaque or transparent. Half transparent pixels get their colour on white.
  command(['xpm'], ({ input, page }) => {
    const source = coded('png', input)
    const colours = [source, paper, '-colors', 255]
    const mask = ['(', source, '-alpha', 'extract', '-threshold', '50%', ')']
    return [page.alpha ? masked(['(', colours, ')'], mask) : colours]
  }),
]
