import { chromium } from '../../engines/chromium.ts'
import { epub } from '../../engines/epub.ts'
import { exiftool } from '../../engines/exiftool.ts'
import { mutoolStrip } from '../../engines/mupdf.ts'
import { pandoc } from '../../engines/pandoc.ts'
import { plain } from '../../engines/plain.ts'
import { repack } from '../../engines/repack.ts'
import type { Job, Route, Run } from '../../kernel/contract.ts'
import { pageFacts, readable, reading, unprinted, writers } from './markup.ts'
import { bare, removes } from './metadata.ts'
import type { DocumentOptions } from './options.ts'

const copied = ['-Title', '-Author', '-Subject', '-Keywords']

/** Prints a page; of what describes it, the browser knows the title alone. */
export const print = (job: Job<DocumentOptions>, run: Run, input: string) =>
  bare(job, run, async (output) => {
    await run(chromium, [], { input, output })
    if (removes(job)) return
    const args = ['-q', '-m', '-overwrite_original', '-TagsFromFile', input, copied]
    await run(exiftool, args, { input: output }).catch(() => undefined)
  })

/** Pages on paper, as a browser prints them, and markups by way of a page. */
export const web: Route<DocumentOptions>[] = [
  {
    ...{ from: ['html', 'xhtml'], to: ['pdf'], engine: chromium, uses: [exiftool, plain, mutoolStrip] },
    convert: async (job, run) => print(job, run, await readable(job, run)),
  },
  {
    ...{ from: unprinted, to: ['pdf'], engine: chromium, uses: [pandoc, exiftool, epub, plain, repack, mutoolStrip] },
    convert: async (job, run) => {
      const page = `${job.scratch}/page.html`
      const input = await readable(job, run)
      await run(pandoc, [reading(job.from), writers.html, await pageFacts(job, run)], { input, output: page })
      await print(job, run, page)
    },
  },
]
