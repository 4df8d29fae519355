import { hwp } from '../../engines/hwp.ts'
import { type Filter, libreoffice } from '../../engines/libreoffice.ts'
import { mail } from '../../engines/mail.ts'
import { slides } from '../../engines/slides.ts'
import { webArchive } from '../../engines/web-archive.ts'
import type { Engine, Job, Route, Step } from '../../kernel/contract.ts'
import { mail as mails } from '../formats/office/mails.ts'
import { type Application, drawing, show, task } from './office.ts'
import type { DocumentOptions } from './options.ts'
import { handwritten, office, translate, writing } from './pandoc.ts'
import { properties } from './properties.ts'
import { print } from './web.ts'

/** Targets of sources that become a page in HTML first. */
const texts = ['docx', 'odt', 'rtf', 'txt', 'html', 'xhtml', 'md', 'md.zip']

/** Texts out of the page in HTML that `steps` make. */
const flowing = (from: readonly string[], ...steps: readonly Step<DocumentOptions>[]) => ({
  from,
  to: texts,
  steps: [...steps, properties, ...writing],
})

/** PDF out of the page in HTML that an engine makes. */
const printed = (from: readonly string[], engine: Engine): Route<DocumentOptions> => ({
  from,
  to: ['pdf'],
  steps: [{ engine, output: 'page.html' }, ...print('printable.html', true)],
})

/** Slides and drawings in reading order, by way of one file in flat OpenDocument. */
const shown = (from: readonly string[], application: Application, filter: Filter): Route<DocumentOptions> => ({
  ...flowing(
    from,
    { engine: libreoffice, args: (job) => [task(application, job, filter)], output: 'flat.xml' },
    { engine: slides, args: ({ to }) => [to === 'md.zip' && '--marks'], output: 'page.html' },
  ),
  needs: ['uno', 'impress'],
})

const bare = (job: Job<DocumentOptions>) => job.options.metadata === 'remove' && '--bare'

/** Web archives. A page keeps its look; texts get the content of its frames, too. */
const saved: readonly Route<DocumentOptions>[] = [
  { from: ['mht'], to: ['html'], engine: webArchive, args: (job) => [bare(job)] },
  {
    from: ['mht'],
    to: [...Object.keys(handwritten), ...Object.keys(office), 'xhtml', 'pptx'],
    engine: webArchive,
    steps: [{ engine: webArchive, args: () => ['--flow'], output: 'page.html' }, ...translate],
  },
  printed(['mht'], webArchive),
  { from: ['mht'], to: ['doc', 'docm', 'dotx', 'dot', 'ott', 'fodt'], via: 'docx' },
]

/** Not CorelDRAW: its artwork mostly has outlines instead of text. */
const diagrams = Object.keys(drawing.sources).filter((from) => from !== 'cdr')

/** Mails, Hangul documents of version 5, slides and drawings as texts. */
export const flowings: Route<DocumentOptions>[] = [
  // Without pandoc, the page keeps the look of the mail.
  { from: mails, to: ['html'], engine: mail, args: (job) => [bare(job)] },
  flowing(mails, { engine: mail, output: 'page.html' }),
  printed(mails, mail),
  ...saved,
  flowing(['hwp'], { engine: hwp, output: 'page.html' }),
  printed(['hwp'], hwp),
  shown(Object.keys(show.sources), show, 'OpenDocument Presentation Flat XML'),
  shown(diagrams, drawing, 'OpenDocument Drawing Flat XML'),
]
