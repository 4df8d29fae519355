import { ddjvu, djvutxt, djvuWords } from '../../engines/djvulibre.ts'
import { ghostscript } from '../../engines/ghostscript.ts'
import { inkscape } from '../../engines/inkscape.ts'
import { libreoffice, printMetafile } from '../../engines/libreoffice.ts'
import { rsvgConvert } from '../../engines/librsvg.ts'
import { mutool } from '../../engines/mupdf.ts'
import { pdftops } from '../../engines/poppler.ts'
import type { Paper } from '../../engines/programs/sharp/spec.ts'
import { sharp } from '../../engines/sharp.ts'
import { drawHtmlParts, mendings, printHtmlParts } from '../../engines/svg.ts'
import type { Args, Engine, Route, Step } from '../../kernel/contract.ts'
import { metafile } from '../formats/drawing.ts'
import { without } from '../formats/family.ts'
import { cameraRaw } from '../formats/raster/camera-raw.ts'
import { readable, specialPictures } from '../formats/raster/pictures.ts'
import { removes, strip } from './metadata.ts'
import type { DocumentOptions } from './options.ts'

/** PDF by one engine. */
const paper = (from: readonly string[], engine: Engine, ...args: Args): Route<DocumentOptions> => ({
  from,
  to: ['pdf'],
  steps: [{ engine, args: () => args, output: 'described.pdf' }, strip],
})

/** Pictures that have lost detail already, and whether in their colours, too. */
const lossy: Readonly<Record<string, Paper['jpeg']>> = {
  ...Object.fromEntries(['webp', 'avif', 'heic', 'jng', 'pcd', ...cameraRaw].map((format) => [format, '4:2:0'])),
  ...Object.fromEntries(['jxl', 'jp2', 'jxr'].map((format) => [format, '4:4:4'])),
}

/** Puts each page of a picture, or its first frame, on a page of its physical size. */
export const print: Step<DocumentOptions> = {
  engine: sharp,
  args: (job, { input, output }) => {
    const { from, origin = from } = job
    const spec: Paper = { task: 'paper', input, output, from, jpeg: lossy[origin], strip: removes(job) }
    return [JSON.stringify(spec)]
  },
}

/** Pictures that the worker reads. */
export const printed = readable

/** Pictures that the image category turns into TIFF. */
export const pictures = [...without(specialPictures, 'apng', 'tif', 'miff'), ...cameraRaw]

/** Sources that people print. */
const printable = [
  'docx',
  'doc',
  'odt',
  'rtf',
  'txt',
  'xlsx',
  'xls',
  'ods',
  'csv',
  'pptx',
  'ppt',
  'odp',
  'jpg',
  'png',
  'tif',
  'gif',
  'webp',
  'bmp',
  'svg',
  'eps',
  'ai',
  'djvu',
]

const drawDjvu: Step<DocumentOptions> = {
  engine: ddjvu,
  args: () => ['-format=pdf', '-quality=85', '-skip'],
  output: 'described.pdf',
}

/** PDF out of other pages, drawings and pictures. */
export const papers: Route<DocumentOptions>[] = [
  { from: printed, to: ['pdf'], steps: [print] },
  paper(['ps'], ghostscript, '-sDEVICE=pdfwrite'),
  paper(['eps', 'ai'], ghostscript, '-sDEVICE=pdfwrite', '-dEPSCrop'),
  paper(['xps'], mutool, '-F', 'pdf'),
  {
    from: ['djvu'],
    to: ['pdf'],
    steps: [
      { ...drawDjvu, output: 'read/pages.pdf' },
      { engine: djvutxt, args: () => ['--detail=word'], input: 'source', output: 'read/words.txt' },
      { engine: djvuWords, args: () => [], input: 'read/', output: 'described.pdf' },
      strip,
    ],
  },
  // Without the words, if they cannot be read.
  { from: ['djvu'], to: ['pdf'], steps: [drawDjvu, strip] },
  // Text stays text in every script.
  ...mendings.map((mend) => ({
    from: ['svg', 'svgz'],
    to: ['pdf'],
    engine: rsvgConvert,
    steps:
      mend === drawHtmlParts
        ? [...printHtmlParts, strip]
        : [...mend, { engine: rsvgConvert, args: () => ['-f', 'pdf'], output: 'described.pdf' }, strip],
  })),
  // Inkscape follows for metafiles, where LibreOffice is not installed or refuses the file.
  {
    from: metafile,
    to: ['pdf'],
    needs: ['uno', 'impress'],
    steps: [{ engine: libreoffice, args: (job) => [printMetafile(job.from)], output: 'described.pdf' }, strip],
  },
  paper(['svg', 'svgz', ...metafile], inkscape, '--export-type=pdf'),
  { from: [...without(printed, 'tif'), ...pictures], to: ['pdf'], via: 'tif' },
  { from: ['tif'], to: ['pdf'], via: 'png' },
  { from: ['djvu'], to: ['txt'], engine: djvutxt, args: () => [] },
  { from: ['djvu'], to: ['html', 'docx', 'odt', 'rtf'], via: 'txt' },
  {
    from: ['pdf'],
    to: ['ps'],
    engine: pdftops,
    steps: [
      { ...strip, output: 'bare.pdf' },
      { engine: pdftops, args: () => ['-level3', '-paper', 'match'] },
    ],
  },
  { from: printable, to: ['ps'], via: 'pdf' },
  { from: ['xps'], to: ['txt', 'html', 'docx', 'odt', 'rtf', 'md', 'md.zip'], via: 'pdf' },
]
