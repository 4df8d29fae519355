import { constants } from 'node:os'
import { Athanor } from '../client/athanor.ts'
import { AthanorError } from '../client/error.ts'
import { CommandError } from '../kernel/admin/command.ts'
import { StartError } from '../kernel/errors.ts'
import type { Embedded } from './embedded.ts'
import { httpFetch } from './http-fetch.ts'

/** What a command works with. */
export interface Session {
  athanor: Athanor
  /** URL of the service; undefined: the embedded one. */
  url: string | undefined
  /** Aborts when a signal interrupts the command, and when the service was never reached. */
  signal: AbortSignal
}

const INTERRUPTING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Works with the service that `ATHANOR_URL` names. Without it, the first request starts the embedded one, which stops
 * afterwards. Resolves to the exit code of the work; after a signal, to 128 and its number. A second signal ends the
 * process at once.
 *
 * @param options.patience Milliseconds for which a service that does not answer is asked again. By default, the first
 * failure ends the command.
 * @throws what the work throws; CommandError if the variable is wrong; StartError if the embedded service cannot start.
 */
export async function withService(
  work: (session: Session) => Promise<number>,
  { patience }: { patience?: number } = {},
): Promise<number> {
  const url = serviceUrl()
  const stop = new AbortController()
  let received: NodeJS.Signals | undefined
  const interrupt = (signal: NodeJS.Signals) => {
    if (received) process.exit(128 + constants.signals[signal])
    received = signal
    stop.abort()
  }
  for (const signal of INTERRUPTING) process.on(signal, interrupt)
  let embedded: Promise<Embedded> | undefined
  const sendEmbedded: typeof fetch = async (input, init) => {
    embedded ??= import('./embedded.ts').then(({ startEmbedded }) => startEmbedded(stop.signal))
    return (await embedded).fetch(input, init)
  }
  try {
    const send = url === undefined ? sendEmbedded : httpFetch()
    const name = url === undefined ? 'The embedded service' : new URL(url).origin
    const apiKey = url === undefined ? undefined : process.env.ATHANOR_API_KEY
    const athanor = new Athanor({
      url: url ?? 'http://localhost',
      fetch: patience === undefined ? giveUpUnreached(send, name, stop) : send,
      // A form would load the platform's fetch.
      partsAbove: -1,
      ...(apiKey && { apiKey }),
      ...(patience !== undefined && { patience }),
    })
    const code = await work({ athanor, url, signal: stop.signal })
    return received ? 128 + constants.signals[received] : code
  } catch (error) {
    if (received) return 128 + constants.signals[received]
    throw error
  } finally {
    const started = await embedded?.catch(() => undefined)
    await started?.[Symbol.asyncDispose]()
    for (const signal of INTERRUPTING) process.off(signal, interrupt)
  }
}

/** Returns the URL in `ATHANOR_URL`, or undefined if it is not set. @throws CommandError. */
export function serviceUrl(): string | undefined {
  const given = process.env.ATHANOR_URL
  if (!given) return undefined
  const url = URL.parse(given)
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return given
  throw new CommandError('ATHANOR_URL: expected an address such as https://convert.example.org.')
}

/**
 * The client repeats requests for minutes, over restarts of the service. A service that has never answered is probably
 * not there, so the first failure ends everything.
 */
function giveUpUnreached(send: typeof fetch, name: string, stop: AbortController): typeof fetch {
  let reached = false
  return async (input, init) => {
    try {
      const answer = await send(input, init)
      reached = true
      return answer
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      if (!reached && !stop.signal.aborted) {
        const reason = `${name} cannot be reached (${code ?? message}).`
        stop.abort(error instanceof StartError ? error : new AthanorError(reason, { code: 'NETWORK', status: 0 }))
      }
      throw error
    }
  }
}
