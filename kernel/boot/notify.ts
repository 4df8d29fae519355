import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Logger } from 'pino'

/** Milliseconds that systemd may take to take the message. */
const NOTIFY_TIMEOUT_MS = 10_000

/**
 * Tells systemd that the service is ready, if its unit has Type=notify. systemd's own program sends the message,
 * because Node has no such sockets; so the unit needs NotifyAccess=all.
 */
export async function notifySupervisor({ NOTIFY_SOCKET, PATH }: NodeJS.ProcessEnv, log: Logger): Promise<void> {
  if (!NOTIFY_SOCKET) return
  const options = { env: { NOTIFY_SOCKET, PATH }, timeout: NOTIFY_TIMEOUT_MS }
  await promisify(execFile)('systemd-notify', ['--ready'], options).catch((err) =>
    log.warn({ err }, 'systemd does not learn that the service is ready'),
  )
}
