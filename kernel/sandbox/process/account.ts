import type { Engine } from '../../contract.ts'
import { usageBelow } from '../limits/processes.ts'
import type { Running } from './process.ts'

/** Record of one engine run and the resources it used: for the log and for operators, never for a client. */
export interface RunAccount {
  engine: string
  /** The program's arguments, as the sandbox received them. */
  args: readonly string[]
  /** Exit code, or 128 + n after signal n. Null: the process still runs (a warm one) or could not be started. */
  exit: number | null
  /** Wall time in milliseconds. */
  ms: number
  /** CPU time of all its processes in seconds, from the samples taken: a lower bound. */
  cpu: number
  /** Peak of the resident bytes of all its processes together, from the samples taken: a lower bound. */
  memory: number
  /** The last lines that the engine printed, oldest first. */
  said: readonly string[]
}

/** The account of a run in progress. */
export type Account = ReturnType<typeof openAccount>

/**
 * Milliseconds between samples: doubles from `first` to `max`, since most runs end within 250 ms. A warm process is
 * also there after its run, so its first sample may come later: each takes 0.5 ms.
 */
const SAMPLE_MS = { first: 10, firstOfWarm: 40, max: 250 }
/** Maximum number of last lines kept. */
const MAX_LINES = 20

/**
 * Opens the account of one run, which samples the process table. Sampling is necessary because a process's usage
 * disappears from the table when it ends, and bubblewrap's own usage does not include it.
 */
export function openAccount(engine: Pick<Engine, 'name' | 'warm'>) {
  const began = performance.now()
  const noted: string[] = []
  const run: Omit<RunAccount, 'ms'> = { engine: engine.name, args: [], exit: null, cpu: 0, memory: 0, said: [] }
  let pid: number | undefined
  // CPU seconds at the first sample: a warm process has used some before this run.
  let before: number | undefined
  let timer: NodeJS.Timeout | undefined

  function sample(next?: number) {
    const { cpu, memory } = usageBelow(pid!)
    before ??= cpu
    run.cpu = Math.max(run.cpu, cpu - before)
    run.memory = Math.max(run.memory, memory)
    if (next !== undefined) timer = setTimeout(sample, next, Math.min(next * 2, SAMPLE_MS.max)).unref()
  }

  return {
    /** Samples a process from now on. `close` reads `lines`. */
    follow(running: Pick<Running, 'pid' | 'ended'>, args: readonly string[], lines: readonly string[]) {
      run.args = args
      run.said = lines
      pid = running.pid
      if (pid === undefined) return
      sample(engine.warm ? SAMPLE_MS.firstOfWarm : SAMPLE_MS.first)
      void running.ended.then(({ code }) => {
        run.exit = code ?? null
        clearTimeout(timer)
      })
    },
    /** Adds a line that is not in the `lines` of `follow`. */
    note: (line: string) => void noted.push(line),
    close() {
      clearTimeout(timer)
      if (pid !== undefined && run.exit === null) sample()
      return { ...run, ms: Math.round(performance.now() - began), said: [...run.said, ...noted].slice(-MAX_LINES) }
    },
  }
}
