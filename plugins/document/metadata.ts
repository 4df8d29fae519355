import { mutoolStrip } from '../../engines/mupdf.ts'
import type { Job, Run } from '../../kernel/contract.ts'
import type { DocumentOptions } from './options.ts'

/** Whether a job asks for a result that says nothing about its author. */
export const removes = (job: Job<DocumentOptions>) => job.options.metadata === 'remove'

/**
 * Has `make` write a PDF, and takes out of it what describes it where that is asked for: every writer of PDF names at
 * least itself.
 */
export async function bare(job: Job<DocumentOptions>, run: Run, make: (output: string) => Promise<unknown>) {
  if (!removes(job)) return void (await make(job.output))
  const described = `${job.scratch}/described.pdf`
  await make(described)
  await run(mutoolStrip, [], { input: described, output: job.output })
}
