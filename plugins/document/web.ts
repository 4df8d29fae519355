import { chromium } from '../../engines/chromium.ts'
import { exiftool } from '../../engines/exiftool.ts'
import { mutoolStrip } from '../../engines/mupdf.ts'
import type { Route } from '../../kernel/contract.ts'
import { bare, removes } from './metadata.ts'
import type { DocumentOptions } from './options.ts'

const copied = ['-Title', '-Author', '-Subject', '-Keywords']

/** Pages on paper, as a browser prints them; of what describes a page it knows the title alone. */
export const web: Route<DocumentOptions>[] = [
  {
    ...{ from: ['html', 'xhtml'], to: ['pdf'], engine: chromium, uses: [exiftool, mutoolStrip] },
    convert: (job, run) =>
      bare(job, run, async (output) => {
        await run(chromium, [], { output })
        if (removes(job)) return
        const args = ['-q', '-m', '-overwrite_original', '-TagsFromFile', job.input, copied]
        await run(exiftool, args, { input: output }).catch(() => undefined)
      }),
  },
]
