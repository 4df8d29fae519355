import { writeFileSync } from 'node:fs'

/**
 * Makes the kernel kill a process, and all that it starts, first when the machine runs out of memory
 * (proc_pid_oom_score_adj(5)). Call this before the process has started anything.
 */
export function killFirst(pid: number | undefined): void {
  if (pid !== undefined) adjust(`${pid}`, 1000)
}

/** Makes the kernel kill the service among the last, if the service has CAP_SYS_RESOURCE. */
export const outliveEngines = (): void => adjust('self', -500)

function adjust(pid: string, score: number): void {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, `${score}`)
  } catch {} // it has ended, or the machine does not allow this: only the memory limit applies then
}
