import { hwp } from '../../engines/hwp.ts'
import { libreoffice } from '../../engines/libreoffice.ts'
import { mail } from '../../engines/mail.ts'
import { slides } from '../../engines/slides.ts'
import type { Engine, Route, Step } from '../../kernel/contract.ts'
import { mail as mails } from '../formats/office/mails.ts'
import { type Application, drawing, type Filter, show, task } from './office.ts'
import type { DocumentOptions } from './options.ts'
import { write } from './pandoc.ts'
import { properties } from './properties.ts'
import { print } from './web.ts'

/** What people want a page to become that was made of something else. */
const texts = ['docx', 'odt', 'rtf', 'txt', 'html', 'xhtml', 'md']

/** Texts out of a page in HTML, which `steps` make. */
const flowing = (from: readonly string[], ...steps: readonly Step<DocumentOptions>[]) => ({
  ...{ from, to: texts, steps: [...steps, properties, write] },
})

/** PDF out of the page in HTML that an engine makes. */
const printed = (from: readonly string[], engine: Engine): Route<DocumentOptions> => ({
  ...{ from, to: ['pdf'], steps: [{ engine, output: 'page.html' }, ...print('page.html')] },
})

/** Slides and drawings in an order in which they can be read, by way of one file that holds all of them. */
const shown = (from: readonly string[], application: Application, filter: Filter): Route<DocumentOptions> => ({
  ...flowing(
    from,
    { engine: libreoffice, args: (job) => [task(application, job, filter)], output: 'flat.xml' },
    { engine: slides, output: 'page.html' },
  ),
  needs: ['uno', 'impress'],
})

/** Words of CorelDRAW's artwork are seldom text any more. */
const diagrams = Object.keys(drawing.sources).filter((from) => from !== 'cdr')

/** Mails, Hangul documents of version 5, slides and drawings as texts that flow. */
export const flowings: Route<DocumentOptions>[] = [
  // As the mail itself looks.
  { from: mails, to: ['html'], engine: mail, args: (job) => [job.options.metadata === 'remove' && '--bare'] },
  flowing(mails, { engine: mail, output: 'page.html' }),
  printed(mails, mail),
  flowing(['hwp'], { engine: hwp, output: 'page.html' }),
  printed(['hwp'], hwp),
  shown(Object.keys(show.sources), show, 'OpenDocument Presentation Flat XML'),
  shown(diagrams, drawing, 'OpenDocument Drawing Flat XML'),
]
