import { type ChildProcess, spawn } from 'node:child_process'
import { PassThrough, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Refusal } from '../refusal/refusal.ts'
import { damaged, meaning } from './complaints.ts'
import type { Command } from './spec.ts'

/** Bytes of address space for one program. */
const ADDRESS_SPACE = 4 * 1024 ** 3
/** Milliseconds without a byte after which a reader is taken for hung: some loop for ever on damaged files. */
const PATIENCE = 60_000
const LONGEST_COMPLAINT = 16_384

/** A name that is no UTF-8 comes through nevertheless. */
const HARMLESS = /Can't translate (pathname|linkname) .* to UTF-8/

/** Numbers of the processes that run. */
export const running = new Set<number>()

/** A program that runs. */
export interface Program {
  process: ChildProcess
  /** What it prints. */
  output: Readable
  /** Resolves when it has ended well; rejects with a Refusal for what it complained about. */
  ended: Promise<void>
}

/**
 * Starts a program. Whatever it complains about makes it fail, since some leave out what they cannot read and end well.
 *
 * @param tolerated exit codes besides 0 that mean success, with complaints
 */
export function start(
  [name, ...args]: Command,
  scratch: string,
  stdin: 'ignore' | 'pipe' | number,
  tolerated: readonly number[] = [],
): Program {
  const process = spawn('/usr/bin/prlimit', [`--as=${ADDRESS_SPACE}`, '--', name!, ...args], {
    stdio: [stdin, 'pipe', 'pipe'],
    env: { PATH: '/usr/bin', LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8', TZ: 'UTC', HOME: scratch, TMPDIR: scratch },
    cwd: scratch,
  })
  if (process.pid) running.add(process.pid)
  // At once: what nobody reads when the program ends is thrown away.
  const output = process.stdout!.pipe(new PassThrough())
  let said = ''
  process.stderr!.setEncoding('utf8').on('data', (text: string) => {
    if (said.length < LONGEST_COMPLAINT) said += text
    // Asked without a terminal, it asks for ever.
    if (/Enter passphrase/.test(said)) process.kill('SIGKILL')
  })
  const ended = new Promise<void>((resolve, reject) => {
    process.once('error', reject)
    process.once('close', (code) => {
      running.delete(process.pid!)
      const complaints = said.split('\n').filter((line) => line.trim() !== '' && !HARMLESS.test(line))
      if (tolerated.includes(code!) || (code === 0 && complaints.length === 0)) return resolve()
      reject(meaning(said) ?? damaged(`${name} ended with ${code}: ${said.slice(0, 1000)}`))
    })
  })
  // Somebody waits for it later.
  ended.catch(() => {})
  return { process, output, ended }
}

/** Programs that run one behind the other. */
export interface Running {
  /** What the last one prints. */
  output: AsyncGenerator<Buffer>
  /** Resolves when all have ended well; rejects as the first one that did not. */
  ended: () => Promise<void>
  /** Ends them. */
  end: () => void
}

/** Starts programs, each of which reads what the one before prints, and gives what the last one prints. */
export function startAll(
  commands: readonly Command[],
  scratch: string,
  stdin: 'ignore' | number,
  tolerated: readonly number[] = [],
): Running {
  const programs: Program[] = []
  for (const command of commands) {
    const before = programs.at(-1)
    const program = start(command, scratch, before ? 'pipe' : stdin, before ? [] : tolerated)
    // A reader that has had enough closes its end early.
    if (before) pipeline(before.output, program.process.stdin!).catch(() => {})
    programs.push(program)
  }
  const end = () => {
    for (const { process } of programs) process.kill('SIGKILL')
  }
  return {
    output: attentive(programs.at(-1)!.output, end),
    ended: async () => void (await Promise.all(programs.map(({ ended }) => ended))),
    end,
  }
}

/** The chunks of a stream, unless none comes for too long while somebody waits for one. */
async function* attentive(stream: Readable, giveUp: () => void): AsyncGenerator<Buffer> {
  let waiting = Date.now()
  let hung = false
  const timer = setInterval(() => {
    hung = waiting > 0 && Date.now() - waiting > PATIENCE
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
  if (hung) throw new Refusal('The archive could not be read in reasonable time')
}
