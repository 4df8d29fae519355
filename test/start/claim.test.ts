/** One data folder, one service. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { admin, startStub } from './program.ts'

const folder = mkdtempSync(join(tmpdir(), 'athanor-claim-'))
chmodSync(folder, 0o711)
const dataDir = join(folder, 'data')
t.teardown(() => rmSync(folder, { recursive: true, force: true }))

t.test('a second service ends with 78 and names the first, whose job completes', async (t) => {
  const first = startStub(t, dataDir)
  const base = await first.ready()
  const form = new FormData()
  form.append('file', new Blob(['STUB\ntext']), 'a.stub')
  const { file } = (await (await fetch(`${base}/api/uploads`, { method: 'POST', body: form })).json()) as any
  const started = await fetch(`${base}/api/conversions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ fileId: file.fileId, toFormat: 'bust', options: { sleep: 3000 } }),
  })
  const { conversionId } = (await started.json()) as any

  const second = await startStub(t, dataDir).ended()
  t.equal(second.code, 78)
  t.match(second.stderr, new RegExp(`^DATA_DIR: process ${first.pid} uses ${dataDir} already\\. Stop it first, .*\n$`))
  const poll = await fetch(`${base}/api/conversions/${conversionId}?wait=20`)
  t.match(await poll.json(), { conversion: { status: 'completed' } }, 'its work was not swept')

  t.match(await admin(t, { DATA_DIR: dataDir }, 'maintenance', 'on'), { code: 0, stdout: 'Maintenance is on.\n' })
  t.match(await admin(t, { DATA_DIR: dataDir }, 'maintenance', 'off'), { code: 0 }, 'administration works beside it')

  first.kill('SIGKILL')
  await first.ended()
  const third = startStub(t, dataDir)
  t.ok(await third.ready(), 'a killed service leaves no claim behind')
  third.kill('SIGTERM')
  t.match(await third.ended(), { code: 0 })
})

t.test('of several at once, one starts', async (t) => {
  const all = Array.from({ length: 4 }, () => startStub(t, dataDir))
  const outcomes = await Promise.allSettled(all.map((program) => program.ready()))
  t.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
  const winner = all[outcomes.findIndex(({ status }) => status === 'fulfilled')]!
  for (const loser of all.filter((program) => program !== winner)) {
    t.match(await loser.ended(), { code: 78, stderr: new RegExp(`process ${winner.pid} uses`) })
  }
})
