import { type ChildProcess, spawn } from 'node:child_process'
import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Refusal } from '../refusal/refusal.ts'
import { Damaged, HARMLESS, meaning } from './complaints.ts'
import type { Command } from './spec.ts'

/** Bytes of address space for one program. */
const ADDRESS_SPACE = 4 * 1024 ** 3
/** Milliseconds without output after which a reader counts as hung. Some loop forever on damaged files. */
const OUTPUT_TIMEOUT_MS = 60_000
/** Characters of a program's complaints that are kept. */
const MAX_COMPLAINT = 16_384

/** Process ids of the running programs. */
export const running = new Set<number>()

/** A running program. */
export interface Program {
  process: ChildProcess
  /** Its standard output. */
  output: Readable
  /** Resolves when it has succeeded. Rejects with a Refusal that explains its complaints. */
  ended: Promise<void>
}

/**
 * Starts a program. Any complaint but harmless ones counts as failure: some programs skip what they cannot read, and
 * exit with 0. After harmless ones, any exit code means success.
 */
export function start(
  [name, ...args]: Command,
  scratch: string,
  stdin: 'ignore' | 'pipe' | number,
  stdout: 'ignore' | 'pipe' = 'pipe',
): Program {
  const process = spawn('/usr/bin/prlimit', [`--as=${ADDRESS_SPACE}`, '--', name!, ...args], {
    stdio: [stdin, stdout, 'pipe'],
    env: { PATH: '/usr/bin', LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8', TZ: 'UTC', HOME: scratch, TMPDIR: scratch },
    cwd: scratch,
  })
  if (process.pid) running.add(process.pid)
  // Pipe at once: output that nobody reads before the program ends would be lost.
  const output = process.stdout?.pipe(new PassThrough()) ?? Readable.from([])
  let complaints = ''
  process.stderr!.setEncoding('utf8').on('data', (text: string) => {
    if (complaints.length < MAX_COMPLAINT) complaints += text
    // Without a terminal, programs repeat this prompt forever.
    if (/Enter passphrase/.test(complaints)) process.kill('SIGKILL')
  })
  const ended = new Promise<void>((resolve, reject) => {
    process.once('error', reject)
    process.once('close', (code) => {
      running.delete(process.pid!)
      const lines = complaints.split('\n').filter((line) => line.trim() !== '')
      const isHarmless = lines.every((line) => HARMLESS.some((pattern) => pattern.test(line)))
      // Without a code, it was killed.
      if (isHarmless && code !== null && (code === 0 || lines.length > 0)) resolve()
      else reject(meaning(complaints) ?? new Damaged(`${name} ended with ${code}: ${complaints.slice(0, 1000)}`))
    })
  })
  // Callers await it later.
  ended.catch(() => {})
  return { process, output, ended }
}

/** A pipeline of programs. */
export interface Running {
  /** Output of the last program. */
  output: AsyncGenerator<Buffer>
  /** Resolves when all have succeeded. Rejects like the first that did not. */
  ended: () => Promise<void>
  /** Kills them. */
  end: () => void
}

/** Starts a pipeline: each program reads the output of the one before. */
export function startAll(commands: readonly Command[], scratch: string, stdin: 'ignore' | number): Running {
  const programs: Program[] = []
  for (const command of commands) {
    const before = programs.at(-1)
    const program = start(command, scratch, before ? 'pipe' : stdin)
    // A program may close its input early.
    if (before) pipeline(before.output, program.process.stdin!).catch(() => {})
    programs.push(program)
  }
  const end = () => {
    for (const { process } of programs) process.kill('SIGKILL')
  }
  return {
    output: attentive(programs.at(-1)!.output, end),
    ended: async () => {
      await Promise.all(programs.map(({ ended }) => ended))
    },
    end,
  }
}

/** The chunks of a stream. Gives up if the next one takes too long. */
async function* attentive(stream: Readable, giveUp: () => void): AsyncGenerator<Buffer> {
  let waiting = Date.now()
  let hung = false
  const timer = setInterval(() => {
    hung = waiting > 0 && Date.now() - waiting > OUTPUT_TIMEOUT_MS
    if (hung) giveUp()
  }, 1000)
  try {
    for await (const chunk of stream) {
      waiting = 0
      yield chunk
      waiting = Date.now()
    }
  } finally {
    clearInterval(timer)
  }
  if (hung) throw new Refusal('The archive could not be read within a reasonable time')
}
