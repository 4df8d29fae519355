import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { freePort } from './free-port.ts'
import { giveProbes, keepProbes } from './probes.ts'
import { startChild } from './servers/child.ts'

const root = join(import.meta.dirname, '..', '..')

/** A service in a separate process, as `npm start` runs it, with a client. */
export interface Service {
  base: string
  pid: number
  /** Its output so far. */
  log(): string
  /** Sends a signal and waits for the end; resolves to the exit code, or null if a signal killed it. */
  end(signal: NodeJS.Signals): Promise<number | null>
  upload(content: string | Uint8Array, name: string): Promise<any>
  /** Sends one request; resolves to the status and the JSON of the answer. */
  call(method: string, path: string, body?: object): Promise<{ status: number; json: any }>
  /** Starts a conversion and returns its id. */
  start(fileId: string, toFormat: string, options?: object): Promise<string>
  /** Waits for a conversion's end and returns its record. */
  finish(id: string): Promise<any>
}

/** Plugins of a configuration: only these, by category. The one of `test/stub-plugin` is `stub`. */
export const pluginsOf = (...open: string[]): Record<string, boolean> => ({
  [join(root, 'test/stub-plugin')]: open.includes('stub'),
  ...Object.fromEntries(CATEGORIES.map((category) => [category, open.includes(category)])),
})
const CATEGORIES = ['image', 'document', 'video', 'audio', 'archive', 'vector', 'cad', 'ebook']

/**
 * Starts the service on a data folder. Its configuration overrides one without limits for guests.
 *
 * @param env May name a `PORT`. Default: a free one.
 * @param through A command that runs the command after it, such as `prlimit --nofile=99`.
 */
export async function startAthanor(
  dataDir: string,
  config: object = {},
  env: NodeJS.ProcessEnv = {},
  through: readonly string[] = [],
): Promise<Service> {
  const port = Number(env.PORT ?? (await freePort()))
  const file = join(dataDir, '..', `config-${port}.yaml`)
  const open = {
    plans: { guest: { pendingJobs: null, heavyConcurrency: null } },
    plugins: { [join(root, 'test/stub-plugin')]: true },
    // Idle processes of LibreOffice, Chromium and calibre would take most of the time of a start.
    warm: { spares: 0 },
  }
  // No load balancer need learn that it stops.
  const shutdown = { delay: 0, ...(config as { shutdown?: object }).shutdown }
  await writeFile(file, stringify({ ...open, ...config, shutdown }))
  await giveProbes(dataDir)
  const { PATH } = process.env
  const own = { PATH, NODE_ENV: 'development', PORT: `${port}`, DATA_DIR: dataDir, CONFIG_FILE: file }
  const base = `http://127.0.0.1:${port}`
  const { pid, log, stop } = await startChild(
    [...through, process.execPath, 'kernel/main.ts'],
    async () => (await fetch(`${base}/readyz`)).ok,
    { cwd: root, env: { ...own, ...env }, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  await keepProbes(dataDir)

  async function call(method: string, path: string, body?: object) {
    const headers = body && { 'content-type': 'application/json' }
    const answer = await fetch(base + path, { method, ...(headers && { headers, body: JSON.stringify(body) }) })
    const text = await answer.text()
    return { status: answer.status, json: text ? JSON.parse(text) : undefined }
  }

  return {
    base,
    pid,
    log,
    call,
    end: stop,
    async upload(content, name) {
      const form = new FormData()
      form.append('file', new Blob([content as string]), name)
      const answer = await fetch(`${base}/api/uploads`, { method: 'POST', body: form })
      if (answer.status !== 201) throw new Error(`upload: ${answer.status} ${await answer.text()}`)
      return ((await answer.json()) as any).file
    },
    async start(fileId, toFormat, options = {}) {
      const { status, json } = await call('POST', '/api/conversions', { fileId, toFormat, options })
      if (status !== 201) throw new Error(`start: ${status} ${JSON.stringify(json)}`)
      return json.conversionId
    },
    async finish(id) {
      for (let attempt = 0; attempt < 10; attempt++) {
        const { json } = await call('GET', `/api/conversions/${id}?wait=20`)
        if (['completed', 'failed'].includes(json.conversion.status)) return json.conversion
      }
      throw new Error(`${id} did not end`)
    },
  }
}
