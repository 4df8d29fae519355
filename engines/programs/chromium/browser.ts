import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'

const PROGRAM = '/usr/lib/chromium/chromium'

/**
 * A proxy that does not exist blocks the network. The browser's own sandbox is off: it needs rights that ours removes.
 * It writes its user agent as the creator of the PDF. Sandboxed frames stay in the process of their page, because a
 * page's switch for scripts does not reach other processes.
 */
const FLAGS = [
  '--headless=new',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-breakpad',
  '--disable-extensions',
  '--disable-background-networking',
  '--disable-sync',
  '--no-first-run',
  '--hide-scrollbars',
  '--user-agent=Chromium',
  '--log-level=3',
  '--disable-features=IsolateSandboxedIframes',
  '--proxy-server=127.0.0.1:9',
  '--proxy-bypass-list=<-loopback>',
  '--remote-debugging-pipe',
  '--no-startup-window',
]

/** A running browser, which is told what to do by the Chrome DevTools Protocol. */
export interface Browser {
  /** Sends a command, to a session or to the browser itself, for its result. Rejects with the browser's message. */
  send<Result = object>(method: string, params?: object, sessionId?: string): Promise<Result>
  /** Resolves to the first of these events in a session. Rejects if it ends before. */
  event(sessionId: string, ...methods: string[]): Promise<{ method: string }>
  end(): void
}

interface Message {
  id?: number
  method?: string
  sessionId?: string
  result?: unknown
  error?: { message: string }
}

/** Starts the browser. If it ends by itself, so does this program. */
export function startBrowser(): Browser {
  const child = spawn(PROGRAM, FLAGS, {
    // Commands go to descriptor 3, and answers come from descriptor 4.
    stdio: ['ignore', 'ignore', 'inherit', 'pipe', 'pipe'],
    env: { ...process.env, TMPDIR: temporaryFolder() },
  })
  child.once('error', () => process.exit(127))
  child.once('exit', () => process.exit(1))
  return protocol(child)
}

/** The browser's version. Ends this program like one that is missing if there is no browser. */
export async function printVersion(): Promise<void> {
  const child = spawn(PROGRAM, ['--version'], { stdio: ['ignore', 'inherit', 'inherit'] })
  child.once('error', () => process.exit(127))
  const [code] = await once(child, 'exit')
  process.exitCode = code
}

/**
 * The sandbox's own memory, since a process that leaves no files in the job's folder can be used again. Without a
 * sandbox, a short name for the job's folder: paths of Unix sockets must be short (unix(7)).
 */
const temporaryFolder = () => (process.cwd() === '/scratch' ? '/tmp' : '/proc/self/cwd')

function protocol(child: ChildProcess): Browser {
  const commands = child.stdio[3] as Writable
  const answers = child.stdio[4] as Readable
  const pending = new Map<number, PromiseWithResolvers<unknown>>()
  const awaited = new Set<{ sessionId: string; methods: readonly string[]; found: (message: Message) => void }>()
  let last = 0
  let text: Buffer[] = []
  commands.on('error', () => {})
  answers.on('data', (chunk: Buffer) => {
    for (let rest = chunk; rest.length > 0; ) {
      const end = rest.indexOf(0)
      text.push(end < 0 ? rest : rest.subarray(0, end))
      if (end < 0) break
      hear(JSON.parse(Buffer.concat(text).toString()))
      text = []
      rest = rest.subarray(end + 1)
    }
  })

  function hear(message: Message) {
    const asked = pending.get(message.id ?? 0)
    pending.delete(message.id ?? 0)
    if (message.error) asked?.reject(new Error(message.error.message))
    else asked?.resolve(message.result)
    for (const wait of awaited)
      if (wait.sessionId === message.sessionId && wait.methods.includes(message.method ?? '')) {
        awaited.delete(wait)
        wait.found(message)
      }
  }

  return {
    send<Result>(method: string, params: object = {}, sessionId?: string) {
      const id = ++last
      const answer = Promise.withResolvers<unknown>()
      pending.set(id, answer)
      commands.write(`${JSON.stringify({ id, method, params, ...(sessionId && { sessionId }) })}\0`)
      // The protocol documents the result of each command.
      return answer.promise as Promise<Result>
    },
    event: (sessionId, ...methods) =>
      new Promise((resolve) => {
        awaited.add({ sessionId, methods, found: ({ method = '' }) => resolve({ method }) })
      }),
    end() {
      child.removeAllListeners('exit')
      child.kill('SIGKILL')
    },
  }
}
