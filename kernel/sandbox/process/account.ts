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
export interface Account {
  /** Samples a process from now on. `close` reads `lines`. */
  follow(running: Pick<Running, 'pid' | 'ended'>, args: readonly string[], lines: readonly string[]): void
  /** Adds a line that is not in the `lines` of `follow`. */
  note(line: string): void
  close(): RunAccount
}

/**
 * Milliseconds between samples: doubles from `first` to `most`, since most runs end within 250 ms. A warm process is
 * also there after its run, so its first sample may come later: each takes 0.5 ms.
 */
const LOOKS = { first: 10, warm: 40, most: 250 }
/** Maximum number of last lines kept. */
const SAID = 20

/**
 * Opens the account of one run, which samples the process table. Sampling is necessary because a process's usage
 * disappears from the table when it ends, and bubblewrap's own usage does not include it.
 */
export function openAccount(engine: Pick<Engine, 'name' | 'warm'>): Account {
  const began = performance.now()
  const noted: string[] = []
  const peak = { cpu: 0, memory: 0 }
  let args: readonly string[] = []
  let said: readonly string[] = []
  let pid: number | undefined
  let exit: number | null = null
  // CPU seconds at the first sample: a warm process has used some before this run.
  let before: number | undefined
  let timer: NodeJS.Timeout | undefined

  function look(next?: number) {
    const { cpu, memory } = usageBelow(pid!)
    before ??= cpu
    peak.cpu = Math.max(peak.cpu, cpu - before)
    peak.memory = Math.max(peak.memory, memory)
    if (next !== undefined) timer = setTimeout(look, next, Math.min(next * 2, LOOKS.most)).unref()
  }

  return {
    follow(running, given, lines) {
      args = given
      said = lines
      if (running.pid === undefined) return
      pid = running.pid
      look(engine.warm ? LOOKS.warm : LOOKS.first)
      void running.ended.then(({ code }) => {
        exit = code ?? null
        clearTimeout(timer)
      })
    },
    note: (line) => void noted.push(line),
    close() {
      clearTimeout(timer)
      if (pid !== undefined && exit === null) look()
      const ms = Math.round(performance.now() - began)
      return { engine: engine.name, args, exit, ms, ...peak, said: [...said, ...noted].slice(-SAID) }
    },
  }
}
