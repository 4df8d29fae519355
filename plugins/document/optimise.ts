import { ghostscript } from '../../engines/ghostscript.ts'
import { mutoolStrip } from '../../engines/mupdf.ts'
import { pdfinfo } from '../../engines/poppler.ts'
import { qpdf } from '../../engines/qpdf.ts'
import { repack } from '../../engines/repack.ts'
import { sharp } from '../../engines/sharp.ts'
import type { Job, Route, Step, StepState } from '../../kernel/contract.ts'
import { fail } from '../../kernel/kit.ts'
import { kept, removed, removes } from './metadata.ts'
import type { DocumentOptions } from './options.ts'

/** Without loss: streams packed again, objects in streams, what nobody points at left out. */
const PACKED = [
  ...['--object-streams=generate', '--compress-streams=y', '--recompress-flate', '--compression-level=9'],
  '--decode-level=generalized',
]

/** Pictures of more than 225 dpi made 150, which does not show on a screen. */
const SCREEN = ['-sDEVICE=pdfwrite', '-dPDFSETTINGS=/ebook', '-dCompatibilityLevel=1.6', '-dDetectDuplicateImages=true']

/** Forms, signatures, tags and scripts do not outlive Ghostscript. */
const isFlat = (lines: readonly string[]) =>
  [/^Form: +none$/, /^Tagged: +no$/, /^JavaScript: +no$/, /^Encrypted: +no$/].every((line) =>
    lines.some((one) => line.test(one)),
  )

/** Makes pictures smaller. Refuses a document that would lose something else, and one that Ghostscript cannot make. */
const optimisePictures: Step<DocumentOptions> = {
  engine: ghostscript,
  uses: [pdfinfo],
  // Ghostscript writes the author's name into the file: only where the source may keep that.
  when: kept,
  input: 'source',
  output: 'screen.pdf',
  optional: true,
  convert: async (_, run) => {
    const made = isFlat(await run(pdfinfo, [])) && (await run(ghostscript, SCREEN).catch(() => undefined))
    // A limit that Ghostscript meets is no reason to lose what qpdf made.
    if (!made) throw fail('CONVERSION_ERROR', 'The document does not become smaller')
    return undefined
  },
}

/** Takes the smallest of the files at these paths; those that are missing do not take part. */
const smallest = (files: (job: Job<DocumentOptions>, now: StepState) => readonly string[]): Step<DocumentOptions> => ({
  engine: sharp,
  args: (job, now) => [JSON.stringify({ task: 'smaller', files: files(job, now), output: now.output })],
})

/** Documents made smaller as themselves; what does not get smaller comes back as it was. */
export const optimisations: Route<DocumentOptions>[] = [
  {
    ...{ transform: ['pdf'], engine: qpdf },
    steps: [
      { engine: mutoolStrip, when: removed, output: 'bare.pdf' },
      { engine: qpdf, args: () => PACKED, output: 'packed.pdf' },
      optimisePictures,
      { engine: qpdf, when: { written: 'screen.pdf' }, args: () => PACKED, output: 'last.pdf', optional: true },
      smallest((job) => {
        const names = ['packed.pdf', 'last.pdf'].map((name) => `${job.scratch}/${name}`)
        return [removes(job) ? `${job.scratch}/bare.pdf` : job.input, ...names]
      }),
    ],
  },
  {
    transform: ['docx', 'xlsx', 'pptx', 'odt', 'ods', 'odp'],
    steps: [
      { engine: repack, args: (job) => ['--small', removes(job) && '--bare'], output: 'packed.{to}' },
      smallest((job, { input }) => (removes(job) ? [input] : [job.input, input])),
    ],
  },
]
