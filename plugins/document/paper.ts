import { ddjvu, djvutxt } from '../../engines/djvulibre.ts'
import { ghostscript } from '../../engines/ghostscript.ts'
import { img2pdf } from '../../engines/img2pdf.ts'
import { inkscape } from '../../engines/inkscape.ts'
import { libreoffice, printMetafile } from '../../engines/libreoffice.ts'
import { rsvgConvert } from '../../engines/librsvg.ts'
import { mutool, mutoolStrip } from '../../engines/mupdf.ts'
import { pdftops } from '../../engines/poppler.ts'
import type { Convert } from '../../engines/programs/sharp/spec.ts'
import { sharp } from '../../engines/sharp.ts'
import type { Args, Engine, Job, Route, Run } from '../../kernel/contract.ts'
import { metafile } from '../formats/drawing.ts'
import { without } from '../formats/family.ts'
import { cameraRaw } from '../formats/raster/camera-raw.ts'
import { specialPictures } from '../formats/raster/pictures.ts'
import { bare, removes } from './metadata.ts'
import type { DocumentOptions } from './options.ts'

/** Pages out of what one engine reads. */
const paper = (
  from: readonly string[],
  engine: Engine,
  make: (job: Job<DocumentOptions>, run: Run, output: string) => Promise<unknown>,
  uses: readonly Engine[] = [],
): Route<DocumentOptions> => ({
  ...{ from, to: ['pdf'], engine, uses: [...uses, mutoolStrip] },
  convert: (job, run) => bare(job, run, (output) => make(job, run, output)),
})

const by = (from: readonly string[], engine: Engine, args: Args) =>
  paper(from, engine, (_, run, output) => run(engine, args, { output }))

/** Every page or the first frame of a picture, on white: PDF has pages that hold no transparency here. */
async function flattened(job: Job<DocumentOptions>, run: Run, output: string): Promise<void> {
  const input = `${job.scratch}/flattened.tif`
  const spec: Convert = {
    ...{ task: 'convert', input: job.input, from: job.from, to: 'tif', output: input, folder: `${job.scratch}/pages` },
    ...{ pages: 'all', animate: false, box: { fit: 'inside' }, opaque: true, deep: false, profile: true },
    ...{ strip: false, encoding: {} },
  }
  await run(sharp, [JSON.stringify(spec)])
  await run(img2pdf, [], { input, output })
}

/** Pictures that become a TIFF by what the image category does. */
const pictures = [...without(specialPictures, 'apng', 'tif', 'miff'), ...cameraRaw]

async function postscript(job: Job<DocumentOptions>, run: Run): Promise<void> {
  const bare = `${job.scratch}/bare.pdf`
  if (removes(job)) await run(mutoolStrip, [], { output: bare })
  await run(pdftops, ['-level3', '-paper', 'match'], { input: removes(job) ? bare : job.input })
}

/** What people send to a printer. */
const printable = [
  ...['docx', 'doc', 'odt', 'rtf', 'txt', 'xlsx', 'xls', 'ods', 'csv', 'pptx', 'ppt', 'odp'],
  ...['jpg', 'png', 'tif', 'gif', 'webp', 'bmp', 'svg', 'eps', 'ai', 'djvu'],
]

/** PDF out of other pages, drawings and pictures. */
export const papers: Route<DocumentOptions>[] = [
  paper(['jpg'], img2pdf, (_, run, output) => run(img2pdf, [], { output })),
  paper(['jpg', 'png', 'webp', 'gif', 'tif', 'avif', 'apng'], img2pdf, flattened, [sharp]),
  by(['ps'], ghostscript, ['-sDEVICE=pdfwrite']),
  by(['eps', 'ai'], ghostscript, ['-sDEVICE=pdfwrite', '-dEPSCrop']),
  by(['xps'], mutool, ['-F', 'pdf']),
  by(['djvu'], ddjvu, ['-format=pdf', '-quality=85', '-skip']),
  // Its text stays text in every script.
  by(['svg', 'svgz'], rsvgConvert, ['-f', 'pdf']),
  // Another way for them follows, where LibreOffice is not installed or refuses one.
  {
    ...paper(metafile, libreoffice, (job, run, output) => run(libreoffice, [printMetafile(job.from)], { output })),
    needs: ['uno', 'impress'],
  },
  paper(['svg', 'svgz', ...metafile], inkscape, (_, run, output) =>
    run(inkscape, ['--export-type=pdf', `--export-filename=${output}`]),
  ),
  { from: pictures, to: ['pdf'], via: 'tif' },
  { from: ['djvu'], to: ['txt'], engine: djvutxt, args: () => [] },
  { from: ['djvu'], to: ['html', 'docx', 'odt', 'rtf'], via: 'txt' },
  { from: ['pdf'], to: ['ps'], engine: pdftops, uses: [mutoolStrip], convert: postscript },
  { from: printable, to: ['ps'], via: 'pdf' },
  { from: ['xps'], to: ['txt', 'html', 'docx', 'odt', 'rtf', 'md'], via: 'pdf' },
]
