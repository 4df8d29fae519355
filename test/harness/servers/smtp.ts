import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

/** A received mail. */
export interface Received {
  from: string
  to: string[]
  /** Headers and body, with the transfer encoding decoded. */
  text: string
  /** Whether it came over TLS, and the login that was used. */
  secure: boolean
  login: string | undefined
}

/** A mail server on loopback. */
export interface MailServer extends AsyncDisposable {
  url: string
  port: number
  received: Received[]
  /** Waits up to a minute for this many mails. */
  wait(count: number): Promise<Received[]>
}

/** Starts a mail server. With `login` it requires one, over TLS with its own certificate. */
export async function startMailServer({
  login,
  tls = true,
  port: wanted = 0,
}: {
  login?: [string, string]
  tls?: boolean
  /** Default: a free one. */
  port?: number
} = {}): Promise<MailServer> {
  const received: Received[] = []
  let arrived = Promise.withResolvers<void>()
  const server = new SMTPServer({
    authOptional: login === undefined,
    disabledCommands: tls ? [] : ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) =>
      username === login?.[0] && password === login?.[1]
        ? done(null, { user: username })
        : done(new Error('wrong login')),
    async onData(stream, { envelope, secure, user }, done) {
      const raw = await text(stream)
      received.push({
        from: envelope.mailFrom ? envelope.mailFrom.address : '',
        to: envelope.rcptTo.map(({ address }) => address),
        text: raw
          .replace(/=\r\n/g, '')
          .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
        secure,
        login: user as string | undefined,
      })
      done()
      arrived.resolve()
      arrived = Promise.withResolvers()
    },
  })
  server.on('error', () => {})
  await once(server.listen(wanted, '127.0.0.1'), 'listening')
  const { port } = server.server.address() as AddressInfo
  return {
    port,
    received,
    url: `smtp://127.0.0.1:${port}`,
    async wait(count) {
      const late = setTimeout(() => arrived.reject(new Error(`${received.length} of ${count} mails came`)), 60_000)
      while (received.length < count) await arrived.promise
      clearTimeout(late)
      return received
    },
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
