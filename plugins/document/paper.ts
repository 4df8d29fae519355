import { ddjvu, djvutxt } from '../../engines/djvulibre.ts'
import { ghostscript } from '../../engines/ghostscript.ts'
import { img2pdf } from '../../engines/img2pdf.ts'
import { inkscape } from '../../engines/inkscape.ts'
import { libreoffice, printMetafile } from '../../engines/libreoffice.ts'
import { rsvgConvert } from '../../engines/librsvg.ts'
import { mutool } from '../../engines/mupdf.ts'
import { pdftops } from '../../engines/poppler.ts'
import type { Convert } from '../../engines/programs/sharp/spec.ts'
import { sharp } from '../../engines/sharp.ts'
import type { Args, Engine, Route, Step } from '../../kernel/contract.ts'
import { metafile } from '../formats/drawing.ts'
import { without } from '../formats/family.ts'
import { cameraRaw } from '../formats/raster/camera-raw.ts'
import { specialPictures } from '../formats/raster/pictures.ts'
import { strip } from './metadata.ts'
import type { DocumentOptions } from './options.ts'

/** PDF by one engine. */
const paper = (from: readonly string[], engine: Engine, ...args: Args): Route<DocumentOptions> => ({
  ...{ from, to: ['pdf'], steps: [{ engine, args: () => args, output: 'described.pdf' }, strip] },
})

/** Puts every page, or the first frame, of a picture on white: img2pdf refuses transparency. */
const flatten: Step<DocumentOptions> = {
  engine: sharp,
  args: (job, { output }) => {
    const spec: Convert = {
      ...{ task: 'convert', input: job.input, from: job.from, to: 'tif', output, folder: `${job.scratch}/pages` },
      ...{ pages: 'all', animate: false, box: { fit: 'inside' }, opaque: true, deep: false, profile: true },
      ...{ strip: false, encoding: {} },
    }
    return [JSON.stringify(spec)]
  },
  output: 'flattened.tif',
}

/** Pictures that the image category turns into TIFF. */
const pictures = [...without(specialPictures, 'apng', 'tif', 'miff'), ...cameraRaw]

/** Sources that people print. */
const printable = [
  ...['docx', 'doc', 'odt', 'rtf', 'txt', 'xlsx', 'xls', 'ods', 'csv', 'pptx', 'ppt', 'odp'],
  ...['jpg', 'png', 'tif', 'gif', 'webp', 'bmp', 'svg', 'eps', 'ai', 'djvu'],
]

/** PDF out of other pages, drawings and pictures. */
export const papers: Route<DocumentOptions>[] = [
  paper(['jpg'], img2pdf),
  {
    ...{ from: ['jpg', 'png', 'webp', 'gif', 'tif', 'avif', 'apng'], to: ['pdf'], engine: img2pdf },
    steps: [flatten, { engine: img2pdf, output: 'described.pdf' }, strip],
  },
  paper(['ps'], ghostscript, '-sDEVICE=pdfwrite'),
  paper(['eps', 'ai'], ghostscript, '-sDEVICE=pdfwrite', '-dEPSCrop'),
  paper(['xps'], mutool, '-F', 'pdf'),
  paper(['djvu'], ddjvu, '-format=pdf', '-quality=85', '-skip'),
  // Text stays text in every script.
  paper(['svg', 'svgz'], rsvgConvert, '-f', 'pdf'),
  // Inkscape follows for metafiles, where LibreOffice is not installed or refuses the file.
  {
    ...{ from: metafile, to: ['pdf'], needs: ['uno', 'impress'] },
    steps: [{ engine: libreoffice, args: (job) => [printMetafile(job.from)], output: 'described.pdf' }, strip],
  },
  paper(['svg', 'svgz', ...metafile], inkscape, '--export-type=pdf'),
  { from: pictures, to: ['pdf'], via: 'tif' },
  { from: ['djvu'], to: ['txt'], engine: djvutxt, args: () => [] },
  { from: ['djvu'], to: ['html', 'docx', 'odt', 'rtf'], via: 'txt' },
  {
    ...{ from: ['pdf'], to: ['ps'], engine: pdftops },
    steps: [
      { ...strip, output: 'bare.pdf' },
      { engine: pdftops, args: () => ['-level3', '-paper', 'match'] },
    ],
  },
  { from: printable, to: ['ps'], via: 'pdf' },
  { from: ['xps'], to: ['txt', 'html', 'docx', 'odt', 'rtf', 'md'], via: 'pdf' },
]
