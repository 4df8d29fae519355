import type { Engine } from '../contract.ts'
import type { Running } from './process.ts'
import { usageBelow } from './processes.ts'

/** What one run of an engine was and what it took: for the log and for operators, never for a client. */
export interface RunAccount {
  engine: string
  /** The program's arguments as the sandbox saw them. */
  args: readonly string[]
  /** Exit code, 128 + n after signal n; null: the process did not end (a warm one), or could not be started. */
  exit: number | null
  /** Milliseconds of wall time. */
  ms: number
  /** Seconds of processor time of all its processes, as they were last seen: a lower bound. */
  cpu: number
  /** Peak of the resident bytes of all its processes together, of the looks taken: a lower bound. */
  memory: number
  /** The last lines that it printed, oldest first. */
  said: readonly string[]
}

/** An account that is being written. */
export interface Account {
  /** Follows a process from now on. `lines` is read at the end. */
  follow(running: Pick<Running, 'pid' | 'ended'>, args: readonly string[], lines: readonly string[]): void
  /** Takes one more line that the engine said besides. */
  note(line: string): void
  close(): RunAccount
}

/** Milliseconds between the first two looks, which grow to the most: most runs are over before 250 ms. */
const LOOKS = { first: 10, most: 250 }
/** Last lines kept. */
const SAID = 20

/**
 * Follows a run by looks at the process table: what a process used is gone from there with it, and bubblewrap's own
 * usage does not include it.
 */
export function openAccount(engine: Pick<Engine, 'name'>): Account {
  const began = performance.now()
  const noted: string[] = []
  const peak = { cpu: 0, memory: 0 }
  let args: readonly string[] = []
  let said: readonly string[] = []
  let pid: number | undefined
  let exit: number | null = null
  // A warm process has used some before.
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
      look(LOOKS.first)
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
