import { writeFileSync } from 'node:fs'

/**
 * Makes a process, and all that it starts, the first that the kernel ends when the machine runs out of memory
 * (proc_pid_oom_score_adj(5)). To be called before it has started anything.
 */
export function sacrifice(pid: number | undefined): void {
  if (pid !== undefined) adjust(`${pid}`, 1000)
}

/** Makes the service one of the last, where it may: that takes CAP_SYS_RESOURCE. */
export const outliveEngines = (): void => adjust('self', -500)

function adjust(pid: string, score: number): void {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, `${score}`)
  } catch {} // it has ended; or a machine without that, where the memory limit alone counts
}
