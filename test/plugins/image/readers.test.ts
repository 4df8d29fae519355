/** What readers run for which files, with answers instead of programs. */
import t from 'tap'
import { fail } from '../../../kernel/kit.ts'
import { sequenceReader } from '../../../plugins/image/animation.ts'
import { readers } from '../../../plugins/image/readers.ts'
import type { Reader } from '../../../plugins/image/stages.ts'
import { type Answer, between, commandLines } from '../../harness/command-lines.ts'

const refused = fail('CONVERSION_ERROR', 'refused')
const PNG = '-define png:compression-level=1 -define png:compression-filter=0 -define png:exclude-chunks=date,tIME'
const DECODED = '/scratch/decoded/%03d.png'
const read = (coder: string, source: string, args = ' -colorspace sRGB') =>
  `imagemagick ${coder}:/in/file.${source} -auto-orient${args} +repage ${PNG} +adjoin PNG:${DECODED}`
const rewrite = (file: string) => `imagemagick ${file}[0] +repage ${PNG} PNG:/scratch/decoded/001.png`
const ask = (coder: string, source: string, escapes: string, head = '-ping ') =>
  `imagemagick ${head}${coder}:/in/file.${source} -format ${escapes}\\n info:`

const planes = 'exiftool -s -n -BitsPerPixel -ColorPlanes'
const mono = 'BitsPerPixel : 1\nColorPlanes : 1'
const paged = (coder: string, source: string, pages: string) =>
  `imagemagick ${coder}:/in/file.${source} -colorspace sRGB ${pages} +repage ${PNG} +adjoin PNG:${DECODED}`
const lookAtTags = 'exiftool -s -n -SampleFormat -BitsPerSample -YCbCrSubSampling -Compression -TileWidth'
const previews = 'decoded/%t%-c.%s -JpgFromRaw -JpgFromRaw2 -PreviewImage -OtherImage'
const describing =
  'exiftool -overwrite_original -m -TagsFromFile /in/file.nef -Make -Model -DateTimeOriginal -ExposureTime -FNumber ' +
  '-ISO -FocalLength -TagsFromFile /in/file.nef -EXIF:all -XMP:all -IPTC:all --ThumbnailImage --PreviewImage ' +
  '--MakerNotes:all --ColorSpace --InteropIndex --XResolution --YResolution'
const distil =
  'ghostscript -sDEVICE=pdfwrite -dAutoFilterColorImages=false -dAutoFilterGrayImages=false ' +
  '-dColorImageFilter=/FlateEncode -dGrayImageFilter=/FlateEncode -dDownsampleColorImages=false ' +
  '-dDownsampleGrayImages=false -dDownsampleMonoImages=false'
const onePage = 'Pages: 1\nPage    1 size: 72 x 36 pts\nPage    1 rot:  0'

/** By source format: the number of the reader among those of the format, what programs answer, and what runs. */
const decoding: readonly (readonly [
  from: string,
  at: number,
  runs: readonly string[],
  answers?: Record<string, Answer | readonly Answer[]>,
  to?: string,
])[] = [
  ['heic', 0, ['heif-decode']],
  ['heic', 1, ['magick-wasm HEIC']],
  ['jxl', 0, ['jxlinfo -v', 'djxl'], { jxlinfo: 'JPEG XL image, 9x9, lossy, 8-bit RGB' }],
  ['jxl', 0, ['jxlinfo -v', 'djxl --bits_per_sample=16'], { jxlinfo: 'JPEG XL image, 9x9, 10-bit RGB' }],
  ['jxl', 0, ['jxlinfo -v', 'djxl --bits_per_sample=16'], { jxlinfo: 'JPEG XL image, 9x9, 16-bit float RGB' }],
  ['jxl', 0, ['jxlinfo -v', 'magick-wasm JXL'], { jxlinfo: 'JPEG XL image, 9x9, 12-bit RGB+Alpha' }],
  ['jxl', 0, ['jxlinfo -v', 'djxl'], { jxlinfo: 'JPEG XL image, 9x9, 8-bit RGB+Alpha\n bits_per_sample: 8' }],
  ['jxl', 0, ['jxlinfo -v', 'magick-wasm JXL'], { jxlinfo: 'image, 9x9, 8-bit RGB+Alpha\n bits_per_sample: 16' }],
  ['jxl', 0, ['jxlinfo -v', 'djxl'], { jxlinfo: 'have_animation: 1\nimage, 9x9, 12-bit RGB+Alpha' }],
  ['jp2', 0, ['opj_decompress']],
  ['jp2', 1, ['ffmpeg -f image2 -c:v jpeg2000 -i -frames:v 1']],
  ['jxr', 0, ['JxrDecApp']],
  ['dcm', 0, ['dcmj2pnm +Wi 1 +on2 --nointerlace +Fa']],
  [
    ...(['dcm', 1] as const),
    ['dcml2pnm +Wi 1 +on2 --nointerlace +Fa', 'dcml2pnm +Wm +on2 --nointerlace +Fa'],
    { dcml2pnm: [refused, ''] },
  ],
  ['dcm', 2, ['magick-wasm DCM']],
  ['jb2', 0, ['jbig2dec -t png']],
  ['icns', 0, ['icns2png']],
  ['icns', 1, ['icon-reader png']],
  ['icns', 2, ['icon-reader jp2', 'opj_decompress']],
  ['qoi', 0, ['ffmpeg -f image2 -c:v qoi -i -frames:v 1']],
  ['ras', 0, ['ffmpeg -f image2 -c:v sunrast -i -frames:v 1']],
  ['jls', 0, ['jls-wrapper --check', 'ffmpeg -f image2 -c:v jpegls -i -frames:v 1']],
  ['jls', 1, ['jls-wrapper', 'dcml2pnm +on2 --nointerlace']],
  ['jpg', 0, ['jls-wrapper', 'dcmj2pnm +on2 --nointerlace']],
  [
    ...(['exr', 0] as const),
    [
      'ffprobe -f exr_pipe -show_entries stream=pix_fmt',
      'ffmpeg -f image2 -c:v exr -i -frames:v 1 -vf format=gbrapf32le,unpremultiply=inplace=1,' +
        'zscale=transferin=linear:transfer=iec61966-2-1:matrixin=gbr:matrix=gbr:primariesin=bt709:primaries=bt709:' +
        'rangein=full:range=full,format=rgba64be',
    ],
  ],
  ['exr', 1, ['exr-layer', read('EXR', 'exr[0]').replace('/in/file', '/scratch/layer')]],
  [
    ...(['cr3', 0] as const),
    [`exiftool -ee -b -a -W /scratch/${previews}`, describing.replaceAll('.nef', '.cr3')],
    { exiftool: '    1 output files created' },
  ],
  ['nef', 0, ['dcraw_emu -w -o 1 -T']],
  ['nef', 0, ['dcraw_emu -w -o 1 -T -6'], {}, 'psd'],
  ['nef', 1, [`exiftool -b -a -W /scratch/${previews}`, describing], { exiftool: '    2 output files created' }],
  ['pdf', 0, ['pdfinfo -f 1 -l 50', `pdftoppm -f 1 -l 1 -tiff -tiffcompression none -cropbox -r ${150 * (1 - 1e-7)}`]],
  ['ai', 0, ['pdfinfo -f 1 -l 50', `pdftocairo -f 1 -l 1 -png -cropbox -transp -r ${150 * (1 - 1e-7)}`]],
  [
    ...(['eps', 0] as const),
    [
      `${distil} -dEPSCrop -dFirstPage=1 -dLastPage=1`,
      'pdfinfo -f 1 -l 1',
      `pdftocairo -f 1 -l 1 -png -cropbox -transp -r ${150 * (1 - 1e-7)}`,
    ],
  ],
  [
    ...(['ps', 0] as const),
    [
      `${distil} -dFirstPage=1 -dLastPage=1001`,
      'pdfinfo -f 1 -l 50',
      `pdftoppm -f 1 -l 1 -tiff -tiffcompression none -cropbox -r ${150 * (1 - 1e-7)}`,
    ],
  ],
  ['djvu', 0, ['djvused n', 'ddjvu -format=tiff -eachpage -page=1-7'], { djvused: '7' }],
  [
    ...(['emf', 0] as const),
    [
      'inkscape --query-width --query-height',
      `inkscape --export-type=png --export-dpi=${150 * (1 - 1e-7)} --export-filename=/scratch/decoded/001.png`,
    ],
    { inkscape: '200\n100' },
  ],
  ['tga', 0, [read('TGA', 'tga[0]')]],
  ['ras', 1, [read('SUN', 'ras[0]')]],
  ['pfm', 0, ['pfm-reader', rewrite('PPM:/scratch/tones.ppm')]],
  [
    ...(['tif', 0] as const),
    [lookAtTags, ask('TIFF', 'tif', '%[colorspace]'), read('TIFF', 'tif', ' -set colorspace sRGB')],
    { imagemagick: 'YCbCr', exiftool: 'YCbCrSubSampling: 2 2' },
  ],
  ...['YCbCrSubSampling: 1 1', 'YCbCrSubSampling: 1 1\nCompression: 7'].map(
    (exiftool, at) =>
      [
        ...(['tif', 0] as const),
        [
          lookAtTags,
          ask('TIFF', 'tif', '%[colorspace]'),
          read('TIFF', 'tif', at ? ' -set colorspace sRGB' : undefined),
        ],
        { imagemagick: 'YCbCr', exiftool },
      ] as const,
  ),
  ['bmp', 0, [read('BMP', 'bmp[0]'), rewrite('DIB:/in/file.bmp')], { imagemagick: [refused, ''] }],
  ['bmp', 1, ['magick-wasm BMP']],
  [
    ...(['psd', 0] as const),
    [
      ask('PSD', 'psd', '%[colorspace]'),
      'imagemagick PSD:/in/file.psd[0] -auto-orient +repage -compress None TIFF:/scratch/decoded/001.tif',
    ],
    { imagemagick: 'CMYK' },
  ],
  ['psd', 0, [ask('PSD', 'psd', '%[colorspace]'), read('PSD', 'psd[0]')], { imagemagick: 'sRGB' }],
  ['dpx', 0, [ask('DPX', 'dpx', '%[colorspace]', ''), read('DPX', 'dpx[0]')], { imagemagick: 'Log' }],
  ['dpx', 0, [ask('DPX', 'dpx', '%[colorspace]', ''), read('DPX', 'dpx[0]', '')], { imagemagick: 'RGB' }],
  ...(
    [
      ['9x9 16', ['fits-reader', rewrite('PGM:/scratch/plane.pgm')]],
      ['9x9 8\n9x9 8\n9x9 8', [read('FITS', 'fits', ' -combine -colorspace sRGB')]],
      ['9x9 8\n9x9 8\n9x8 8', [read('FITS', 'fits[0]')]],
      ['9x9 8', [read('FITS', 'fits[0]')]],
    ] as const
  ).map(
    ([imagemagick, runs]) =>
      ['fits', 0, [ask('FITS', 'fits', '%wx%h %[fits:BITPIX]'), ...runs], { imagemagick }] as const,
  ),
  ['pcd', 0, [read('PCD', 'pcd')]],
  ['ico', 0, [read('ICO', 'ico')]],
  ['pcx', 0, [planes, paged('PCX', 'pcx', '( -clone 0 -negate ) -delete 0-0')], { exiftool: mono }],
  [
    'pcx',
    0,
    [planes, paged('PCX', 'pcx', '( -clone 0 ) -delete 0-0')],
    { exiftool: 'BitsPerPixel : 1\nColorPlanes : 4' },
  ],
  [
    'dcx',
    0,
    [
      ask('DCX', 'dcx', '%z %[type]', ''),
      paged('DCX', 'dcx', '( -clone 0 ) ( -clone 1 -negate ) ( -clone 2 ) -delete 0-2'),
    ],
    { imagemagick: ['8 TrueColor\n1 Bilevel\n8 Bilevel'] },
  ],
  ...(['png', 'webp'] as const).map(
    (to) =>
      [
        ...(['mng', 0] as const),
        [
          `imagemagick MNG:/in/file.mng${to === 'png' ? '[0]' : ''} -coalesce -colorspace sRGB ` +
            '-define webp:lossless=true WEBP:/scratch/decoded/001.webp',
        ],
        {},
        to,
      ] as const,
  ),
  ['dds', 1, ['magick-wasm DDS']],
  ['dds', 2, ['ffmpeg -f image2 -c:v dds -i -frames:v 1']],
]
const usual = { ffprobe: '{}', pdfinfo: onePage }
const of = (from: string) => readers.filter((reader) => reader.from.includes(from))

for (const [from, at, runs, answers, to] of decoding)
  t.test(`reader ${at + 1} of ${from}, ${JSON.stringify(answers ?? {})}`, async (t) => {
    const { steps } = of(from)[at] as Reader
    t.strictSame(await commandLines(between(steps), { from, to }, { ...usual, ...answers }), runs)
  })

t.test('what readers refuse', async (t) => {
  const refusals: readonly [from: string, at: number, answers: Record<string, Answer>, message: RegExp][] = [
    ['exr', 0, { ffprobe: '"pix_fmt": "grayf32le"' }, /no colours/],
    ['jxl', 0, { jxlinfo: 'JPEG XL image, 512x512, lossless, 8-bit CMYK+Alpha' }, /inks/],
    ['nef', 0, { dcraw_emu: 'Cannot decode' }, /camera raw/],
    ['nef', 0, { dcraw_emu: 'a: data corrupted at 9' }, /camera raw/],
    ['nef', 1, { exiftool: '    0 output files created' }, /camera raw/],
    ['pdf', 0, { pdfinfo: 'Pages: 1001' }, /1001 pages; 1000 can/],
    ['emf', 0, { inkscape: '0\n0' }, /empty/],
    ['tif', 0, { exiftool: 'SampleFormat: 2\nBitsPerSample: 8' }, /signed numbers/],
    ['tif', 0, { exiftool: 'SampleFormat: 1\nBitsPerSample: 24 24 24' }, /24 bits/],
    ['pict', 0, { imagemagick: '1 srgb(255,255,255)' }, /a drawing/],
    ['tif', 0, { exiftool: 'Compression: 6\nTileWidth: 240' }, /tiles of old-style JPEG/],
  ]
  for (const [from, at, answers, message] of refusals)
    await t.rejects(commandLines(between(of(from)[at]!.steps), { from }, answers), { message }, `${from} ${message}`)
})

t.test('animated AVIF', async (t) => {
  const video = { index: 0, codec_type: 'video', codec_name: 'av1', width: 2000, height: 1000 }
  const run = async (to: string, nb_frames: number, ...ffmpeg: Answer[]) => {
    const ffprobe = JSON.stringify({ streams: [{ ...video, nb_frames: String(nb_frames) }], format: {} })
    const lines = await commandLines(between(sequenceReader.steps), { from: 'avif', to }, { ffprobe, ffmpeg })
    return lines.filter((line) => !line.startsWith('ffprobe'))
  }
  const clear =
    '-filter_complex [0:v:1]format=yuv444p,scale=out_range=full,format=gray[alpha];[0:v:0][alpha]alphamerge '
  const frames = (count: number) => `-frames:v ${count} -fps_mode passthrough -plays 0 -f apng`
  t.strictSame(await run('png', 9, ''), [`ffmpeg -f mov -i ${clear}${frames(1)}`])
  for (const count of [9, 134])
    t.strictSame(await run('webp', count, refused, ''), [
      `ffmpeg -f mov -i ${clear}${frames(count)}`,
      `ffmpeg -f mov -i ${frames(count)}`,
    ])
  t.strictSame(await run('gif', 0, ''), [`ffmpeg -f mov -i ${clear}${frames(135)}`], 'the file does not count them')
  Object.assign(video, { color_transfer: 'smpte2084' })
  const [alpha, opaque] = await run('gif', 9, refused, '')
  t.match(alpha, /zscale.*tonemap.*alphamerge/, 'high dynamic range, with transparency')
  t.match(opaque, /-vf zscale.*tonemap/, 'and without')
  await t.rejects(run('avif', 135, ''), {
    code: 'RESOURCE_LIMIT',
    message: /^The animation has 135 frames of 2,000 × 1,000/,
  })
})

t.test(
  'pages of a PDF: those of one size at once, and compressed if they are large, many or transparent',
  async (t) => {
    const dots = 150 * (1 - 1e-7)
    const render = (from: number, to: number, kind = '-tiff -tiffcompression none') =>
      `pdftoppm -f ${from} -l ${to} ${kind} -cropbox -r ${dots}`
    const sizes = (first: number, ...all: string[]) =>
      all.map((size, at) => `Page ${first + at} size: ${size} pts\nPage ${first + at} rot: 0`).join('\n')
    const run = (...pdfinfo: string[]) => commandLines(between(of('pdf')[0]!.steps), { from: 'pdf' }, { pdfinfo })
    const small = sizes(1, '72 x 36', '72 x 36', '36 x 72')
    t.strictSame(await run(`Pages: 3\n${small}`), ['pdfinfo -f 1 -l 50', render(1, 2), render(3, 3)])
    t.strictSame(await run(`Pages: 1\n${sizes(1, '2800 x 2800')}`), ['pdfinfo -f 1 -l 50', render(1, 1, '-png')])
    const many = sizes(1, ...Array(50).fill('72 x 36'))
    t.strictSame(await run(`Pages: 51\n${many}`, sizes(51, '72 x 36')), [
      'pdfinfo -f 1 -l 50',
      render(1, 50, '-png'),
      'pdfinfo -f 51 -l 51',
      render(51, 51, '-png'),
    ])
  },
)

t.test('the resolution of a page fills the box', async (t) => {
  const page = 'Pages: 1\nPage 1 size: 200 x 100 pts\nPage 1 rot: 90'
  const cases: readonly [options: object, dots: number][] = [
    [{ maxWidth: 50 }, 36],
    [{ maxHeight: 50 }, 18],
    [{ maxWidth: 100, maxHeight: 100 }, 36],
    ...(['cover', 'outside', 'fill'] as const).map((fit): [object, number] => [
      { maxWidth: 100, maxHeight: 100, fit },
      72,
    ]),
  ]
  for (const [options, dots] of cases) {
    const [, line] = await commandLines(between(of('pdf')[0]!.steps), { from: 'pdf', options }, { pdfinfo: page })
    t.match(line, new RegExp(`-r ${dots * (1 - 1e-7)}$`), JSON.stringify(options))
  }
})
