import { mutoolStrip } from '../../engines/mupdf.ts'
import type { Condition, Job, Step } from '../../kernel/contract.ts'
import type { DocumentOptions } from './options.ts'

/** Whether the result must say nothing about its author. */
export const removes = (job: Job<DocumentOptions>) => job.options.metadata === 'remove'

/** The same as a condition of a step, and its opposite. */
export const removed: Condition<DocumentOptions> = { options: { metadata: ['remove'] } }
export const kept: Condition<DocumentOptions> = { options: { metadata: ['keep', undefined] } }

/**
 * The last step of every route to PDF: takes out what describes the file. Every program that writes PDF names at least
 * itself.
 */
export const strip: Step<DocumentOptions> = { engine: mutoolStrip, when: removed }
