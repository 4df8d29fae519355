import { fitsReader } from '../../engines/fits.ts'
import { coded, imagemagick } from '../../engines/imagemagick.ts'
import { magickWasm } from '../../engines/magick-wasm.ts'
import type { Args, Job, Run } from '../../kernel/contract.ts'
import type { Decoder, Wanted } from './codec.ts'

/** Linear light, film density and television's colours become sRGB; what is sRGB already stays as it is. */
const SRGB = ['-colorspace', 'sRGB']

/** How ImageMagick hands pictures on: quickly, with every depth as 8 or 16 bits, and without the time of day. */
const PNG = ['compression-level=1', 'compression-filter=0', 'exclude-chunks=date,tIME'].flatMap((define) => [
  '-define',
  `png:${define}`,
])

/** `images` picks among those of the file, `args` say what they need. */
const read = (job: Job, run: Run, { folder }: Wanted, args: Args, images = '[0]') =>
  run(imagemagick, [
    [coded(job.from, job.input + images), '-auto-orient', args, '+repage', PNG, '+adjoin'],
    coded('png', `${folder}/%03d.png`),
  ])

/** What each image of the file is by its head, one line each, by ImageMagick's format escapes. */
const ask = (job: Job, run: Run, escapes: string, heads: Args = ['-ping']) =>
  run(imagemagick, [heads, coded(job.from, job.input), '-format', `${escapes}\\n`, 'info:'])

const still = [
  ...['bmp', 'tga', 'pcx', 'ppm', 'pgm', 'pbm', 'pam', 'pnm', 'xbm', 'xpm', 'wbmp', 'sgi', 'ras', 'xwd'],
  ...['cin', 'hdr', 'dds', 'jng', 'pict', 'miff'],
]

export const magickDecoders: readonly Decoder[] = [
  { engine: imagemagick, from: still, decode: (job, run, wanted) => read(job, run, wanted, SRGB) },
  {
    // Linear light, as renderers write it; ImageMagick takes it for sRGB.
    engine: imagemagick,
    from: ['pfm'],
    decode: (job, run, wanted) => read(job, run, wanted, ['-set', 'colorspace', 'RGB', ...SRGB]),
  },
  {
    // The flattened picture. Ink colours stay, because sharp knows their profile, and no formula is as good.
    engine: imagemagick,
    from: ['psd', 'psb'],
    decode: async (job, run, wanted) => {
      const ink = (await ask(job, run, '%[colorspace]')).includes('CMYK')
      if (!ink) return read(job, run, wanted, SRGB)
      return run(imagemagick, [
        [coded(job.from, `${job.input}[0]`), '-auto-orient', '+repage', '-compress', 'None'],
        coded('tif', `${wanted.folder}/001.tif`),
      ])
    },
  },
  {
    // Film scans hold density; of the others, ImageMagick says that they are linear even when they are not.
    // It knows that only when it has read the pixels.
    engine: imagemagick,
    from: ['dpx'],
    decode: async (job, run, wanted) => {
      const film = (await ask(job, run, '%[colorspace]', [])).includes('Log')
      return read(job, run, wanted, film ? SRGB : [])
    },
  },
  {
    // Three planes of one size are colours; of any other number, the first is the picture.
    engine: imagemagick,
    uses: [fitsReader],
    from: ['fits'],
    decode: async (job, run, wanted) => {
      const planes = (await ask(job, run, '%wx%h %[fits:BITPIX]')).flatMap((line) => {
        const [, size, bits] = /^(\d+x\d+) *(-?\d*)/.exec(line) ?? []
        return size === undefined ? [] : [{ size, bits }]
      })
      // ImageMagick takes 8 bits for what they are, and wider numbers for a range that they seldom fill.
      if (planes[0]?.bits !== '8') {
        const input = `${job.scratch}/plane.pgm`
        await run(fitsReader, [], { output: input })
        return run(imagemagick, [coded('pgm', input), PNG, coded('png', `${wanted.folder}/001.png`)])
      }
      const colours = planes.length === 3 && new Set(planes.map(({ size }) => size)).size === 1
      return colours ? read(job, run, wanted, ['-combine', ...SRGB], '') : read(job, run, wanted, SRGB)
    },
  },
  {
    // One picture in several sizes: without a number, the base of 768 × 512.
    engine: imagemagick,
    from: ['pcd'],
    decode: (job, run, wanted) => read(job, run, wanted, SRGB, ''),
  },
  {
    engine: imagemagick,
    from: ['ico', 'cur'],
    largest: true,
    decode: (job, run, wanted) => read(job, run, wanted, SRGB, ''),
  },
  {
    engine: imagemagick,
    from: ['dcx'],
    paged: true,
    decode: (job, run, wanted) => read(job, run, wanted, SRGB, wanted.pages === 'first' ? '[0]' : ''),
  },
  {
    engine: imagemagick,
    from: ['mng'],
    animated: true,
    decode: (job, run, { folder, pages }) =>
      run(imagemagick, [
        [coded('mng', job.input + (pages === 'first' ? '[0]' : '')), '-coalesce', SRGB],
        ['-define', 'webp:lossless=true', coded('webp', `${folder}/001.webp`)],
      ]),
  },
  {
    engine: magickWasm,
    from: ['xcf', 'heic', 'dcm', 'dds', 'psd', 'bmp'],
    decode: (job, run, { folder }) => run(magickWasm, [job.from.toUpperCase()], { output: `${folder}/001.png` }),
  },
]
