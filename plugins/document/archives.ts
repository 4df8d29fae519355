import { ghostscript } from '../../engines/ghostscript.ts'
import { libreoffice } from '../../engines/libreoffice.ts'
import { mutoolAppear } from '../../engines/mupdf.ts'
import { lookAtArchive, pdfa, writeArchive } from '../../engines/pdfa.ts'
import type { Route, Step } from '../../kernel/contract.ts'
import { without } from '../formats/family.ts'
import { cameraRaw } from '../formats/raster/camera-raw.ts'
import { removes, strip } from './metadata.ts'
import { drawing, legible, sheet, show, task, text } from './office.ts'
import type { DocumentOptions } from './options.ts'
import { print, printed } from './paper.ts'

const to = ['pdfa.pdf']

/** Embeds fonts. Pictures and colours stay as they are. */
const REDRAW = [
  '-sDEVICE=pdfwrite',
  '-dPDFSETTINGS=/prepress',
  '-dCompatibilityLevel=1.7',
  '-dAutoRotatePages=/None',
  '-sColorConversionStrategy=LeaveColorUnchanged',
  ...['Color', 'Gray', 'Mono'].map((kind) => `-dDownsample${kind}Images=false`),
  ...['Color', 'Gray'].flatMap((kind) => [`-dAutoFilter${kind}Images=false`, `-d${kind}ImageFilter=/FlateEncode`]),
]

/** Makes PDF/A of a PDF. Its pages are drawn anew only if they cannot stay as they are. */
const archive: readonly Step<DocumentOptions>[] = [
  lookAtArchive,
  { engine: mutoolAppear, when: { more: { bare: [true] } }, output: 'drawn.pdf', optional: true },
  { engine: ghostscript, when: { more: { redraw: [true] } }, args: () => REDRAW, output: 'redrawn.pdf' },
  writeArchive((job, input) => !removes(job) && (job.from === 'pdf' ? job.input : input)),
]

/** LibreOffice's own PDF/A has all fonts, and shows forms as they are filled in. */
const office = [text, sheet, show, drawing].map((application): Route<DocumentOptions> => {
  const { part, sources, targets } = application
  return {
    from: Object.keys(sources),
    to,
    engine: libreoffice,
    needs: ['uno', part],
    steps: [
      legible,
      {
        engine: libreoffice,
        args: (job) => [task(application, { ...job, to: 'pdf' }, targets.pdf, { SelectPdfVersion: 2 })],
        output: 'described.pdf',
      },
      ...archive,
    ],
  }
})

/** Formats between others and PDF, which a detour reaches in one step. */
const between = ['html', 'svg']

/** Sources whose PDF names wrong objects for its fonts. */
const unfit = ['lrf']

/** The sources of routes to PDF. */
const sourcesOf = (routes: readonly Route<DocumentOptions>[]) =>
  routes.flatMap((route) => ('to' in route && route.to.includes('pdf') ? route.from : []))

/** PDF/A out of PDF, and of everything that becomes PDF by `routes`; camera raws and models are no documents. */
export function archives(routes: readonly Route<DocumentOptions>[]): Route<DocumentOptions>[] {
  const direct = routes.filter((route) => !('via' in route))
  const known = sourcesOf(direct)
  const own = direct.flatMap((route): Route<DocumentOptions>[] => {
    const from = sourcesOf([route]).filter((format) => between.includes(format))
    if (!('steps' in route) || from.length === 0) return []
    return [{ ...route, from, to, steps: [...route.steps.filter((step) => step !== strip), ...archive] }]
  })
  const detours = routes.flatMap((route): Route<DocumentOptions>[] => {
    if (!('via' in route) || route.via === 'svg') return []
    const from = sourcesOf([route]).filter((format) => !known.includes(format) && !cameraRaw.includes(format))
    return from.length > 0 ? [{ from, to, via: route.via }] : []
  })
  return [
    { from: ['pdf'], to, engine: pdfa, steps: archive },
    { from: printed, to, engine: pdfa, steps: [{ ...print, output: 'page.pdf' }, ...archive] },
    ...own,
    ...office,
    { from: without([...new Set(known)], ...printed, ...unfit), to, via: 'pdf' },
    ...detours,
  ]
}
