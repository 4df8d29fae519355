import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { StartError } from '../kernel/errors.ts'
import { isTerminal } from './convert/report.ts'
import { cacheFolder, temporaryFolder } from './folders.ts'
import { httpFetch } from './http-fetch.ts'
import { root } from './local.ts'

/** A service that only this process uses. */
export interface Embedded extends AsyncDisposable {
  /** Sends requests to it, whatever host their URLs name. */
  fetch: typeof fetch
}

/** Milliseconds that it has to stop. */
const STOP_TIMEOUT_MS = 15_000

/**
 * Starts a service with the home profile on a Unix socket, in a data folder of its own. It ends with this process, even
 * if this process is killed: it reads a pipe from it. @throws StartError with what it said; the signal's reason.
 */
export async function startEmbedded(signal: AbortSignal): Promise<Embedded> {
  const probes = join(await cacheFolder(), 'probes.json')
  const folder = await temporaryFolder()
  const kept = join(folder, 'probes.json')
  await copyFile(probes, kept).catch(() => {})
  const child = spawn('sh', [join(root, 'config/run.sh'), 'kernel/main.ts', '--embedded'], {
    // Variables of other services, such as DATABASE_URL, are not for it.
    env: { PATH: process.env.PATH, DATA_DIR: folder },
    // A group of its own: Ctrl+C is for this process, which cancels conversions first.
    detached: true,
  })
  const ended = once(child, 'close')
  child.stdin.on('error', () => {})
  const stop = async () => {
    child.stdin.end()
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS)
    await ended
    clearTimeout(timer)
    await rm(folder, { recursive: true, force: true })
  }
  try {
    if (isTerminal) process.stderr.write('Starting the service...')
    await ready(child, ended, signal)
    await copyFile(kept, probes).catch(() => {})
  } catch (error) {
    await stop()
    throw error
  } finally {
    if (isTerminal) process.stderr.write('\r\x1b[K')
  }
  return { fetch: httpFetch(join(folder, 'socket')), [Symbol.asyncDispose]: stop }
}

/** Waits until the service says that it is ready. */
async function ready(
  { stdout, stderr }: ReturnType<typeof spawn>,
  ended: Promise<unknown>,
  signal: AbortSignal,
): Promise<void> {
  let said = ''
  stderr?.on('data', (chunk) => {
    said = `${said}${chunk}`.slice(-4000)
  })
  const begun = new Promise<void>((resolve) => {
    let last = ''
    stdout?.on('data', (chunk) => {
      last = `${last}${chunk}`.slice(-4000)
      if (last.includes('Athanor is ready')) resolve()
    })
  })
  const failed = ended.then(() => {
    throw new StartError(`The embedded service did not start. ${said.trim()}`)
  })
  failed.catch(() => {})
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason)
  signal.addEventListener('abort', abort)
  try {
    await Promise.race([begun, failed, aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
