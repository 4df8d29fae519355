/** The signals that shut down the service in order. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { startStub } from './program.ts'

/** Sends the signal when the service already listens for it but cannot be ready yet. */
const early = `process.on('newListener', (name) => { if (name === 'SIGHUP') setImmediate(() => process.kill(process.pid, 'SIGHUP')) })`

for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT'] as const) {
  t.test(`${signal} lets a running conversion finish, and ends with 0`, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'athanor-signal-'))
    chmodSync(folder, 0o711)
    t.teardown(() => rmSync(folder, { recursive: true, force: true }))
    const dataDir = join(folder, 'data')
    const first = startStub(t, dataDir)
    const base = await first.ready()
    const form = new FormData()
    form.append('file', new Blob(['STUB\ntext']), 'a.stub')
    const { file } = (await (await fetch(`${base}/api/uploads`, { method: 'POST', body: form })).json()) as any
    const start = { fileId: file.fileId, toFormat: 'bust', options: { sleep: 1500 } }
    const headers = { 'content-type': 'application/json' }
    const started = await fetch(`${base}/api/conversions`, { method: 'POST', headers, body: JSON.stringify(start) })
    const { conversionId } = (await started.json()) as any
    first.kill(signal)
    t.match(await first.ended(), { code: 0, signal: null })

    const second = startStub(t, dataDir)
    const poll = await fetch(`${await second.ready()}/api/conversions/${conversionId}?wait=20`)
    const { conversion } = (await poll.json()) as any
    t.equal(conversion.status, 'completed')
    t.match(conversion.completedAt, /Z$/)
    second.kill('SIGTERM')
    const { stdout } = await second.ended()
    t.notMatch(stdout, 'conversions of an earlier start resumed', 'the first had finished it')
  })
}

t.test('SIGHUP before it is ready also exits with 0', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'athanor-signal-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(early)}` }
  const service = startStub(t, join(folder, 'data'), { env })
  t.match(await service.ended(), { code: 0, signal: null })
})
