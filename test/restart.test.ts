/** A service is killed while it works, and the next one on its data is stopped in order. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { installation, leftovers, rowsIn } from './harness/installation.ts'
import { descendants, programsOf, untilGone } from './harness/processes.ts'
import { pluginsOf } from './harness/program.ts'
import { until } from './harness/until.ts'

t.test('no conversion is lost, done twice or charged twice', { timeout: 600_000 }, async (t) => {
  const { dataDir, live } = await installation(t)
  // An owner has two places.
  const config = { plugins: pluginsOf('stub'), queue: { workers: 4 }, shutdown: { grace: '300ms' } }
  const first = await live(config)
  const { fileId } = await first.upload('STUB\ntext', 'a.stub')
  const ids = await Promise.all(Array.from({ length: 6 }, () => first.start(fileId, 'bust', { sleep: 1000 })))
  await until(() => programsOf(descendants(first.pid)).length >= 2)
  const { json } = await first.call('GET', '/api/conversions?status=queued')
  t.ok(json.conversions.length > 0, 'others wait')
  const processes = descendants(first.pid)
  const programs = programsOf(processes)
  await first.end('SIGKILL')
  t.ok(await untilGone(programs, 60_000), 'no program is left of it')

  const second = await live(config)
  t.ok(await untilGone(processes, 60_000), 'nor any process once another service has started')
  for (const id of ids) t.match(await second.finish(id), { id, status: 'completed', progress: 100 })
  const { conversions } = (await second.call('GET', '/api/conversions')).json
  t.same(conversions.map(({ id }: any) => id).sort(), ids.toSorted(), 'each once in the list')

  // More than it can end within its grace.
  const later = await Promise.all([1, 2, 3].map(() => second.start(fileId, 'bust', { sleep: 60_000 })))
  await until(() => programsOf(descendants(second.pid)).length >= 2)
  const waiting = second.call('GET', `/api/conversions/${later[0]}?wait=30`)
  const left = descendants(second.pid)
  t.equal(await second.end('SIGTERM'), 0)
  t.ok(await untilGone(left, 60_000))
  t.match(await waiting, { status: 200, json: { conversion: { id: later[0] } } }, 'a client that waits has its answer')

  const [done, handedBack] = [ids, later].map((some) => rowsIn(dataDir).filter(({ id }) => some.includes(id)))
  const attempts = done!.map((row) => row.attempts)
  t.ok(attempts.every((number) => number === 1 || number === 2) && attempts.includes(2), `attempts: ${attempts}`)
  for (const { output_key } of done!) {
    t.same(await readdir(join(dataDir, 'files', output_key, '..')), ['a.bust'], 'one output each')
  }
  for (const row of handedBack!)
    t.match(row, { status: 'queued', attempts: 0 }, 'a hand-back does not count as an attempt')
  t.match(rowsIn(dataDir, 'quota_use'), [{ conversions: 9, bytes: 9 * 9 }], 'each is charged once')
  t.same(await leftovers(dataDir), [], 'no job folder is left')
})
