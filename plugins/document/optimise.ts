import { ghostscript } from '../../engines/ghostscript.ts'
import { mutoolStrip } from '../../engines/mupdf.ts'
import { pdfinfo } from '../../engines/poppler.ts'
import { qpdf } from '../../engines/qpdf.ts'
import { repack } from '../../engines/repack.ts'
import { sharp } from '../../engines/sharp.ts'
import type { Job, Route, Run } from '../../kernel/contract.ts'
import { removes } from './metadata.ts'
import type { DocumentOptions } from './options.ts'

/** Without loss: streams packed again, objects in streams, what nobody points at left out. */
const PACKED = [
  ...['--object-streams=generate', '--compress-streams=y', '--recompress-flate', '--compression-level=9'],
  '--decode-level=generalized',
]

/** Pictures of more than 225 dpi made 150, which does not show on a screen. */
const SCREEN = ['-sDEVICE=pdfwrite', '-dPDFSETTINGS=/ebook', '-dCompatibilityLevel=1.6', '-dDetectDuplicateImages=true']

/** Forms, signatures, tags and scripts do not outlive Ghostscript. */
async function plain(run: Run, input: string): Promise<boolean> {
  const lines = await run(pdfinfo, [], { input })
  const says = (key: string, value: string) => lines.some((line) => new RegExp(`^${key}: +${value}$`).test(line))
  return says('Form', 'none') && says('Tagged', 'no') && says('JavaScript', 'no') && says('Encrypted', 'no')
}

async function pdf(job: Job<DocumentOptions>, run: Run): Promise<void> {
  const [bare, packed, screen, last] = ['bare', 'packed', 'screen', 'last'].map((name) => `${job.scratch}/${name}.pdf`)
  const input = removes(job) ? bare! : job.input
  if (removes(job)) await run(mutoolStrip, [], { output: input })
  await run(qpdf, PACKED, { input, output: packed! })
  const files = [input, packed!]
  // What it writes names its author: only where the source may keep that.
  if (!removes(job) && (await plain(run, input)))
    files.push(
      ...(await run(ghostscript, SCREEN, { input, output: screen! })
        .then(() => run(qpdf, PACKED, { input: screen!, output: last! }))
        .then(() => [last!])
        .catch(() => [])),
    )
  await run(sharp, [JSON.stringify({ task: 'smaller', files, output: job.output })])
}

async function office(job: Job<DocumentOptions>, run: Run): Promise<void> {
  const output = `${job.scratch}/packed.${job.to}`
  await run(repack, ['--small', removes(job) && '--bare'], { output })
  const files = removes(job) ? [output] : [job.input, output]
  await run(sharp, [JSON.stringify({ task: 'smaller', files, output: job.output })])
}

/** Documents made smaller as themselves; what does not get smaller comes back as it was. */
export const optimisations: Route<DocumentOptions>[] = [
  {
    ...{ transform: ['pdf'], engine: qpdf, uses: [ghostscript, mutoolStrip, pdfinfo, sharp] },
    convert: pdf,
  },
  {
    ...{ transform: ['docx', 'xlsx', 'pptx', 'odt', 'ods', 'odp'], engine: repack, uses: [sharp] },
    convert: office,
  },
]
