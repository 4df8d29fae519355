/** What writers run, and how they count quality, with answers instead of programs. */
import t from 'tap'
import { sequenceWriter } from '../../../plugins/image/animation.ts'
import { targets, targetsWith, writable } from '../../../plugins/image/targets.ts'
import { writers } from '../../../plugins/image/writers.ts'
import { between, commandLines } from '../../harness/command-lines.ts'

const curve =
  'zscale=transferin=iec61966-2-1:transfer=linear:matrixin=gbr:matrix=gbr:primariesin=bt709:primaries=bt709:rangein=full:range=full'
const halves = '-colorspace Gray -dither FloydSteinberg -remap PATTERN:gray50'
const paper = 'PNG:< -background white -alpha remove -alpha off'
/** By target: what runs without alpha, and with it if that differs. */
const encoding: Readonly<Record<string, readonly [string, string?]>> = {
  heic: ['heif-enc -q 55 -p preset=veryfast'],
  jxl: ['cjxl -d 1.450 -e 4'],
  jp2: ['opj_compress -I -q 45 -n 5'],
  jxr: [
    'imagemagick PNG:< -type TrueColor BMP3:/scratch/bitmaps/001.bmp, JxrEncApp -q 0.85',
    'imagemagick PNG:< -type TrueColorMatte BMP:/scratch/bitmaps/001.bmp, JxrEncApp -c 22 -q 0.85',
  ],
  qoi: [
    'ffmpeg -f image2 -c:v png -i -pix_fmt rgb24 -c:v qoi -f image2',
    'ffmpeg -f image2 -c:v png -i -pix_fmt rgba -c:v qoi -f image2',
  ],
  exr: [
    `ffmpeg -f image2 -c:v png -i -vf format=gbrpf32le,${curve} -format half -compression zip16 -c:v exr -f image2`,
    `ffmpeg -f image2 -c:v png -i -vf format=gbrapf32le,${curve},premultiply=inplace=1 -format half -compression zip16 -c:v exr -f image2`,
  ],
  ico: ['icons ico'],
  cur: ['icons cur'],
  icns: ['icons icns'],
  sgi: ['imagemagick PNG:< SGI:>'],
  miff: ['imagemagick PNG:< MIFF:>'],
  pam: ['imagemagick PNG:< PAM:>'],
  ...Object.fromEntries(
    Object.entries({ pcx: 'PCX', ras: 'SUN', xwd: 'XWD', pict: 'PICT', ppm: 'PPM', dpx: 'DPX' }).map(([to, coder]) => [
      to,
      [`imagemagick PNG:< -type TrueColor ${coder}:>`, `imagemagick PNG:< -type TrueColorMatte ${coder}:>`] as const,
    ]),
  ),
  hdr: ['imagemagick PNG:< -type TrueColor -colorspace RGB HDR:>'],
  pfm: ['imagemagick PNG:< -type TrueColor -colorspace RGB PFM:>'],
  pgm: ['imagemagick PNG:< -colorspace Gray PGM:>'],
  fits: ['imagemagick PNG:< -colorspace Gray FITS:>'],
  pbm: [`imagemagick PNG:< ${halves} PBM:>`],
  xbm: [`imagemagick PNG:< ${halves} XBM:>`],
  wbmp: [`imagemagick PNG:< ${halves} WBMP:>`],
  bmp: [
    'imagemagick PNG:< -type TrueColor -define bmp:format=bmp3 BMP:>',
    'imagemagick PNG:< -type TrueColorMatte -define bmp:format=bmp4 BMP:>',
  ],
  tga: [
    'imagemagick PNG:< -type TrueColor -orient TopLeft TGA:>',
    'imagemagick PNG:< -type TrueColorMatte -orient TopLeft TGA:>',
  ],
  dds: [
    'imagemagick PNG:< -define dds:compression=dxt1 -define dds:mipmaps=0 DDS:>',
    'imagemagick PNG:< -define dds:compression=dxt5 -define dds:mipmaps=0 DDS:>',
  ],
  psd: [
    'imagemagick PNG:< -compress None PSD:>',
    `imagemagick ( ( ${paper} ) ( PNG:< -alpha extract ) -compose CopyOpacity -composite ) PNG:< -compress None PSD:>`,
  ],
  xpm: [
    `imagemagick ${paper} -colors 255 XPM:>`,
    `imagemagick ( ${paper} -colors 255 ) ( PNG:< -alpha extract -threshold 50% ) -compose CopyOpacity -composite XPM:>`,
  ],
}
const size = { width: 40, height: 30 }
const written = async (to: string, alpha: boolean, options = {}) =>
  (
    await commandLines(between(writers.find((one) => one.to.includes(to))!.steps, [{ ...size, alpha }]), {
      to,
      options,
    })
  )
    .join(', ')
    .replaceAll('/scratch/before-001.png', '<')
    .replaceAll(`/scratch/results/001.${to}`, '>')

t.test('writers', async (t) => {
  t.strictSame(Object.keys(encoding).toSorted(), writers.flatMap(({ to }) => to).toSorted())
  for (const [to, [opaque, clear = opaque]] of Object.entries(encoding)) {
    t.equal(await written(to, false), opaque)
    t.equal(await written(to, true), clear)
  }
})

t.test('the table of targets has every target, and what writers need to know of it', (t) => {
  const encoded = writers.flatMap(({ to }) => to)
  t.strictSame(Object.keys(targets).toSorted(), [...writable, ...encoded].toSorted())
  const having = (trait: Parameters<typeof targetsWith>[0]) =>
    targetsWith(trait)
      .filter((to) => encoded.includes(to))
      .toSorted()
      .join(' ')
  t.equal(
    having(({ opaque }) => opaque),
    'dpx fits hdr pbm pcx pfm pgm pict ppm ras wbmp xbm xwd',
  )
  t.equal(
    having(({ deep }) => deep === true),
    'dpx exr fits hdr jp2 pam pfm pgm ppm psd',
  )
  t.equal(
    having(({ deep }) => deep === 'opaque'),
    'jxl',
  )
  t.equal(
    having(({ maxSide, shrinks }) => shrinks && maxSide === 256),
    'cur ico',
  )
  t.equal(
    having(({ maxSide, shrinks }) => shrinks && maxSide === 1024),
    'icns',
  )
  t.end()
})

t.test('quality and lossless as each encoder counts them', async (t) => {
  const cases: readonly [to: string, options: object, command: string][] = [
    ['heic', { quality: 30 }, 'heif-enc -q 30 -p preset=veryfast'],
    ['heic', { lossless: true }, 'heif-enc -L -p chroma=444 --matrix_coefficients=0 -p preset=veryfast'],
    ['jxl', { quality: 100 }, 'cjxl -d 0.100 -e 4'],
    ['jxl', { quality: 30 }, 'cjxl -d 6.400 -e 4'],
    ['jxl', { quality: 1 }, 'cjxl -d 23.868 -e 4'],
    ['jxl', { lossless: true }, 'cjxl -d 0 -e 4'],
    ['jp2', { quality: 100 }, 'opj_compress -I -q 70 -n 5'],
    ['jp2', { lossless: true }, 'opj_compress -n 5'],
    ['jxr', { quality: 100 }, `${encoding.jxr![0].replace('0.85', '0.99')}`],
  ]
  for (const [to, options, command] of cases) t.equal(await written(to, false, options), command)
  const bt709 = 'scale=out_color_matrix=bt709:out_range=pc,format=yuv444p'
  const split = '[v]split[a][b];[a]'
  const range = '-colorspace bt709 -color_primaries bt709 -color_trc iec61966-2-1 -color_range pc'
  const timed =
    '-fps_mode passthrough -enc_time_base -1 -bsf:v setts=duration=if(eq(N\\,2)\\,70/TB/1000\\,DURATION) -f avif'
  const moving = (graph: string, maps: string, rate: string) =>
    `ffmpeg -f apng -i -filter_complex [0:v]settb=1/1000[v];${graph} ${maps} -c:v libaom-av1 -cpu-used 6 ${rate} ${timed}`
  const sequence = (alpha: boolean, options: object) =>
    commandLines(between(sequenceWriter.steps, [{ alpha }], { frames: { count: 3, last: 70 } }), {
      to: 'avif',
      options,
    })
  t.strictSame(await sequence(true, { quality: 30 }), [
    moving(`${split}${bt709}[c];[b]alphaextract,format=gray[d]`, '-map [c] -map [d]', `-crf 44 ${range}`),
  ])
  t.strictSame(await sequence(false, {}), [moving(`[v]${bt709}[c]`, '-map [c]', `-crf 28 ${range}`)])
  t.strictSame(await sequence(false, { lossless: true }), [
    moving('[v]format=gbrp[c]', '-map [c]', '-crf 0 -aom-params lossless=1'),
  ])
})
