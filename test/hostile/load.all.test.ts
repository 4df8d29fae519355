/** Two hundred clients at once. */
import { readdir, readFile, readlink } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { installation, leftovers } from '../harness/installation.ts'
import type { Service } from '../harness/program.ts'
import { until } from '../harness/until.ts'
import { random, seed } from './random.ts'

const others = ['image', 'document', 'video', 'audio', 'archive', 'vector', 'cad', 'ebook']
const stub = new URL('../stub-plugin', import.meta.url).pathname
const plugins = { [stub]: true, ...Object.fromEntries(others.map((name) => [name, false])) }

const memoryOf = async (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))![1]) / 1024
/** Returns the number of open descriptors of a process, without connections, which clients keep open. */
async function descriptorsOf(pid: number): Promise<number> {
  const names = await readdir(`/proc/${pid}/fd`)
  const targets = await Promise.all(names.map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => 'socket:')))
  return targets.filter((target) => !target.startsWith('socket:')).length
}

/** Sends one request as the guest with this fingerprint. */
async function ask(service: Service, guest: string, method: string, path: string, body?: object | FormData) {
  const headers: Record<string, string> = { 'x-guest-fingerprint': guest }
  if (body && !(body instanceof FormData)) headers['content-type'] = 'application/json'
  const sent = body instanceof FormData ? body : body && JSON.stringify(body)
  const answer = await fetch(service.base + path, { method, headers, ...(sent && { body: sent }) })
  const text = await answer.text()
  return { status: answer.status, json: text.startsWith('{') ? JSON.parse(text) : undefined }
}

async function uploaded(service: Service, guest: string): Promise<string> {
  const form = new FormData()
  form.append('file', new Blob([`STUB\n${guest}`]), 'a.stub')
  return (await ask(service, guest, 'POST', '/api/uploads', form)).json.file.fileId
}

t.test('200 clients for 15 seconds', async (t) => {
  const { dataDir, live } = await installation(t)
  // With the memory settings of config/run.sh.
  const env = { NODE_OPTIONS: '--max-semi-space-size=2', MALLOC_ARENA_MAX: '1' }
  const service = await live({ plugins, queue: { capacity: 100 } }, env)
  const next = random(seed)
  const statuses = new Map<string, number>()
  const wrong: unknown[] = []
  const end = performance.now() + 15 * 1000
  const counted = async (guest: string, method: string, path: string, body?: object | FormData) => {
    const { status, json } = await ask(service, guest, method, path, body)
    const key = `${status} ${json?.error?.code ?? ''}`.trim()
    statuses.set(key, (statuses.get(key) ?? 0) + 1)
    // A full queue is an allowed answer. No other error is.
    if (status >= 500 && json?.error?.code !== 'QUEUE_FULL_GLOBAL') wrong.push({ method, path, status, json })
    return json
  }
  const client = async (guest: string) => {
    const fileId = await uploaded(service, guest)
    while (performance.now() < end) {
      const dice = next()
      if (dice < 0.3) await counted(guest, 'GET', '/api/tools?limit=20')
      else if (dice < 0.45) await counted(guest, 'GET', '/api/conversions?limit=10')
      else if (dice < 0.55) await counted(guest, 'POST', '/api/conversions', { fileId, toFormat: 'nonsense' })
      else if (dice < 0.6) await counted(guest, 'GET', '/api/conversions/conv_nothing')
      else if (dice < 0.7) await uploaded(service, guest)
      else {
        const options = { sleep: Math.floor(next() * 200), heavy: next() < 0.2 }
        const json = await counted(guest, 'POST', '/api/conversions', { fileId, toFormat: 'bust', options })
        if (json.conversionId) await counted(guest, 'GET', `/api/conversions/${json.conversionId}?wait=5`)
      }
      await delay(next() * 400)
    }
  }
  const load = async (clients: number) =>
    Promise.all(Array.from({ length: clients }, (_, index) => client(`guest-${index}`)))
  const memory = await memoryOf(service.pid)
  const descriptors = await descriptorsOf(service.pid)
  await load(200)
  t.same(wrong.slice(0, 3), [], 'no answer but those of the contract')
  t.ok((statuses.get('201') ?? 0) > 20, [...statuses].map(([status, count]) => `${count} × ${status}`).join(', '))
  for (let pending = 1; pending; await delay(200)) {
    pending = Number(/(\d+) waiting/.exec(await (await fetch(`${service.base}/readyz`)).text())![1])
  }
  // Garbage is collected some time after the last request.
  await until(async () => (await memoryOf(service.pid)) < memory + 80)
  const open = await descriptorsOf(service.pid)
  t.ok(open <= descriptors + 5, `${descriptors} descriptors before, ${open} after`)
  t.equal(await service.end('SIGTERM'), 0)
  t.same(await leftovers(dataDir), [])
})
