import type { Engine } from '../contract.ts'
import type { WarmPoolOptions } from './warm-options.ts'
import type { WarmProcess } from './warm-process.ts'

/** Makes what lets spares rehearse, each at most once. */
export function createRehearsals({ working, unrehearsed }: Pick<WarmPoolOptions, 'working' | 'unrehearsed'>) {
  /** Engines whose rehearsal has failed. Their spares would fail again, and again. */
  const failing = new Set<Engine>()
  /**
   * Resolves when a spare that has booted has rehearsed, or need not.
   * @param isSpare Whether no job has taken it yet.
   */
  return async function rehearse(process: WarmProcess, isSpare: () => boolean): Promise<void> {
    const { engine } = process
    // A rehearsal would slow the job down, whether that has this process or another one.
    if (working() || failing.has(engine)) return
    const lines = await process.rehearse()
    // One that was ended for its memory, or taken by a job that was cancelled, says nothing about others. Beside jobs
    // it may take long.
    if (!lines || !isSpare() || working() || failing.has(engine)) return
    failing.add(engine)
    unrehearsed(engine, lines)
  }
}
