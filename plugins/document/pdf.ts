import { exiftool } from '../../engines/exiftool.ts'
import { pandoc } from '../../engines/pandoc.ts'
import { pdftohtml, pdftoppm, pdftotext } from '../../engines/poppler.ts'
import { reflow } from '../../engines/reflow.ts'
import type { Job, Route, Run } from '../../kernel/contract.ts'
import { pageFacts, writers } from './markup.ts'
import type { DocumentOptions } from './options.ts'

/** Most pages of nothing but drawings that are shown. */
const DRAWN = 50

/** Pages that flow again, through what pandoc makes of them. */
async function flowing(job: Job<DocumentOptions>, run: Run): Promise<void> {
  const xml = `${job.scratch}/pages.xml`
  const html = `${job.scratch}/flowing.html`
  await run(pdftohtml, ['-xml', '-fmt', 'png', '-zoom', 1], { output: xml })
  const empty = await run(reflow, [], { input: xml, output: html })
  const drawn = empty.join(' ').match(/\d+/g)?.slice(0, DRAWN) ?? []
  // Lines and letters drawn as lines are no pictures to the reader: such pages become one.
  for (const page of drawn)
    await run(pdftoppm, ['-png', '-r', 110, '-singlefile', '-f', page, '-l', page], {
      output: `${job.scratch}/page-${page}`,
    })
  if (drawn.length) await run(reflow, [], { input: xml, output: html })
  await run(pandoc, ['-f', 'html', writers[job.to], await pageFacts(job, run)], { input: html })
}

/** What is written on paper as text that flows, is edited or is searched. */
export const pdf: Route<DocumentOptions>[] = [
  // As it stands on the page; between pages stand form feeds.
  { from: ['pdf'], to: ['txt'], engine: pdftotext, args: () => ['-layout'] },
  {
    ...{ from: ['pdf'], to: Object.keys(writers).filter((to) => to !== 'txt'), engine: pdftohtml },
    uses: [reflow, pdftoppm, pandoc, exiftool],
    convert: flowing,
  },
  { from: ['pdf'], to: ['doc', 'docm', 'dotx', 'dot', 'ott', 'fodt'], via: 'docx' },
]
