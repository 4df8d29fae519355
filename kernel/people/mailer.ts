import { createTransport } from 'nodemailer'

export interface Mail {
  to: string
  subject: string
  text: string
}

export type Mailer = ReturnType<typeof createMailer>

/** Time limit of each step with the mail server, in milliseconds. */
const MAIL_TIMEOUT_MS = 10_000

/** Sends mail by SMTP (RFC 5321). A password in the URL is sent over TLS only. */
export function createMailer({ url, from }: { url: string; from: string }) {
  const { protocol, hostname, port, username, password } = new URL(url)
  const secure = protocol === 'smtps:'
  const transport = createTransport({
    host: decodeURIComponent(hostname).replace(/^\[|\]$/g, ''),
    port: port ? Number(port) : secure ? 465 : 587,
    secure,
    requireTLS: !secure && username !== '',
    // Without a password, plain text is allowed, so an unverified certificate is better than none (RFC 7435).
    tls: { rejectUnauthorized: secure || username !== '' },
    ...(username && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: MAIL_TIMEOUT_MS,
    greetingTimeout: MAIL_TIMEOUT_MS,
    socketTimeout: MAIL_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  let away = false
  return {
    /** Sends a mail to the mail server. Rejects if the server does not accept it within about 20 s. */
    async send(mail: Mail) {
      try {
        await transport.sendMail({ ...mail, from })
        away = false
      } catch (error) {
        // A server that refuses one recipient works.
        away = !isRefusedRecipient(error)
        throw error
      }
    },
    /** Whether the server did not accept the last mail. */
    isAway: () => away,
    close: () => transport.close(),
  }
}

const isRefusedRecipient = (error: unknown) => (error as NodeJS.ErrnoException).code === 'EENVELOPE'
