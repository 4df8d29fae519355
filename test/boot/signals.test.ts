/** How the service stops in order. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { folderOf } from '../harness/folder.ts'
import { finishesOn } from './finishing.ts'
import { endAt, startAt, startStub } from './program.ts'
import { beginUpload } from './slow-upload.ts'

t.test('SIGTERM lets a running conversion finish, and ends with 0', (t) => finishesOn(t, 'SIGTERM'))

t.test('an upload that does not end is cut off after the grace, and leaves nothing', async (t) => {
  const dataDir = join(await folderOf(t), 'data')
  const service = startStub(t, dataDir, { yaml: 'shutdown: { grace: 1s }' })
  const { answer } = await beginUpload(await service.ready())
  service.kill('SIGTERM')
  await t.rejects(answer, { code: 'ECONNRESET' })
  const { code, stdout } = await service.ended()
  t.equal(code, 0)
  t.notMatch(stdout, '"level":50', 'without an error in the log')
  t.strictSame(readdirSync(join(dataDir, 'incoming')), [])
})

t.test('it first says that it is not ready, and serves everyone for a while', async (t) => {
  const yaml = 'shutdown: { delay: 1d, grace: 1s }'
  const service = startStub(t, join(await folderOf(t), 'data'), { yaml })
  const base = await service.ready()
  const { status: ready } = await fetch(`${base}/readyz`)
  t.equal(ready, 200)
  service.kill('SIGTERM')
  while ((await fetch(`${base}/readyz`)).status === 200);
  // The first refusal may answer a request that came before the signal.
  const answer = await fetch(`${base}/readyz`)
  t.equal(answer.status, 503)
  t.match(await answer.json(), { error: { code: 'NOT_READY', message: /service \(stopping\)/ } })
  t.equal(answer.headers.get('connection'), 'close')
  t.equal((await endAt(base, await startAt(base))).status, 'completed')
  // Whoever waits at a terminal need not wait for this.
  const repeated = setInterval(() => service.kill('SIGINT'), 100)
  t.equal((await service.ended()).code, 130)
  clearInterval(repeated)
})
