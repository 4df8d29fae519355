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

/** Lossless: compresses streams again, packs objects into streams and drops unused ones. */
const PACKED = [
  '--object-streams=generate',
  '--compress-streams=y',
  '--recompress-flate',
  '--compression-level=9',
  '--decode-level=generalized',
]

/** Reduces pictures above 225 dpi to 150 dpi, which is enough for a screen. */
const SCREEN = ['-sDEVICE=pdfwrite', '-dPDFSETTINGS=/ebook', '-dCompatibilityLevel=1.6', '-dDetectDuplicateImages=true']

/** Whether Ghostscript keeps all of the document, by pdfinfo: it loses forms, signatures, tags and scripts. */
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

/** Makes documents smaller in their own format. Returns a document as it is where that makes it no smaller. */
export const optimisations: Route<DocumentOptions>[] = [
  {
    transform: ['pdf'],
    engine: qpdf,
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
