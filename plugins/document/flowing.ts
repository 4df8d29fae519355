import { chromium } from '../../engines/chromium.ts'
import { exiftool } from '../../engines/exiftool.ts'
import { hwp } from '../../engines/hwp.ts'
import { libreoffice } from '../../engines/libreoffice.ts'
import { mail } from '../../engines/mail.ts'
import { mutoolStrip } from '../../engines/mupdf.ts'
import { pandoc } from '../../engines/pandoc.ts'
import { slides } from '../../engines/slides.ts'
import type { Engine, Job, Route, Run } from '../../kernel/contract.ts'
import { mail as mails } from '../formats/office/mails.ts'
import * as draw from './draw.ts'
import * as impress from './impress.ts'
import { pageFacts, writers } from './markup.ts'
import { applications, type Filter, task } from './office.ts'
import type { DocumentOptions } from './options.ts'
import { print } from './web.ts'

/** What people want a page to become that was made of something else. */
const texts = ['docx', 'odt', 'rtf', 'txt', 'html', 'xhtml', 'md']

/** Texts out of a page in HTML that `make` writes. */
const flowing = (
  from: readonly string[],
  engine: Engine,
  uses: readonly Engine[],
  make: (job: Job<DocumentOptions>, run: Run, output: string) => Promise<unknown>,
): Route<DocumentOptions> => ({
  ...{ from, to: texts, engine, uses: [...uses, pandoc, exiftool] },
  convert: async (job, run) => {
    const page = `${job.scratch}/page.html`
    await make(job, run, page)
    await run(pandoc, ['-f', 'html', writers[job.to], await pageFacts(job, run)], { input: page })
  },
})

const read = (engine: Engine) => (_: Job<DocumentOptions>, run: Run, output: string) => run(engine, [], { output })

/** The same on paper. */
const printed = (from: readonly string[], engine: Engine): Route<DocumentOptions> => ({
  ...{ from, to: ['pdf'], engine, uses: [chromium, exiftool, mutoolStrip] },
  convert: async (job, run) => {
    const page = `${job.scratch}/page.html`
    await run(engine, [], { output: page })
    await print(job, run, page)
  },
})

const [, , show, drawing] = applications as [
  unknown,
  unknown,
  (typeof applications)[number],
  (typeof applications)[number],
]

/** Slides and drawings in an order in which they can be read, by way of one file that holds all of them. */
const shown = (from: readonly string[], application: (typeof applications)[number], filter: Filter) => ({
  ...flowing(from, libreoffice, [slides], async (job, run, output) => {
    const flat = `${job.scratch}/flat.xml`
    await run(libreoffice, [task(application, job, filter)], { output: flat })
    await run(slides, [], { input: flat, output })
  }),
  needs: ['uno', 'impress'],
})

/** Words of CorelDRAW's artwork are seldom text any more. */
const diagrams = Object.keys(draw.sources).filter((from) => from !== 'cdr')

/** Mails, Hangul documents of version 5, slides and drawings as texts that flow. */
export const flowings: Route<DocumentOptions>[] = [
  // As the mail itself looks.
  { from: mails, to: ['html'], engine: mail, args: (job) => [job.options.metadata === 'remove' && '--bare'] },
  flowing(mails, mail, [], read(mail)),
  printed(mails, mail),
  flowing(['hwp'], hwp, [], read(hwp)),
  printed(['hwp'], hwp),
  shown(Object.keys(impress.sources), show, 'OpenDocument Presentation Flat XML'),
  shown(diagrams, drawing, 'OpenDocument Drawing Flat XML'),
]
