/** `athanor watch`, as a person types it. */
import { mkdir, readFile, symlink } from 'node:fs/promises'
import t from 'tap'
import { until } from '../harness/until.ts'
import { list, untilFiles } from '../watch/folders.ts'
import { deskAt, deskOf, finished, start } from './command.ts'

const { service } = await deskOf(t)

t.test('converts what arrives, goes on after a kill, and ends when it is interrupted', async (t) => {
  const { env, path, file } = await deskAt(t, service)
  await mkdir(path('scans'))
  const watch = (...more: string[]) =>
    start(env, 'watch', path('scans'), '--to', 'bust', '-o', path('out'), '--after', 'delete', ...more)
  await file('scans/slow.stub')
  const first = watch('--sleep', '3000')
  t.teardown(() => first.kill('SIGKILL'))
  await until(async () => (await list(path('scans'))).length === 0)
  first.kill('SIGKILL')
  await finished(first)

  // Somebody who may write into the folder has put a link in the place of a file, just before it was claimed.
  await mkdir(path('scans/.athanor/claimed/one/source'), { recursive: true })
  await symlink(await file('secret.stub'), path('scans/.athanor/claimed/one/source/link.stub'))
  await file('scans/bad.stub', 'no stub')
  await file('scans/good.stub')
  const second = watch()
  t.teardown(() => second.kill('SIGKILL'))
  const ended = finished(second)
  await untilFiles(path('scans/failed'), 4)
  await untilFiles(path('out'), 2)
  await until(async () => (await list(path('scans'))).length === 1)
  second.kill('SIGINT')
  const { code, stdout, stderr } = await ended
  t.equal(code, 130)
  t.same(await list(path('out')), ['good.bust', 'slow.bust'])
  t.match(stdout.toString(), /^good\.stub -> good\.bust$/m)
  t.match(stderr, /^athanor: link\.stub: It is not a file/m)
  t.match(stderr, /^athanor: bad\.stub: .+$/m)
  const reason = await readFile(path('scans/failed/bad.stub.txt'), 'utf8')
  t.ok(stderr.includes(reason.trim()))
})

t.test('wrong use ends with a sentence', async (t) => {
  const { athanor, folder, path } = await deskAt(t, service)
  for (const [args, sentence] of [
    [['watch'], /Name a file to convert|Name one folder/],
    [['watch', folder, '--to', 'bust'], /one for the results/],
    [['watch', folder, '--to', 'bust', '-o', folder], /would be converted again/],
    [['watch', folder, '--to', 'bust', '-o', path('out'), '--after', 'burn'], /--after: "burn" is not allowed/],
  ] as const) {
    const { code, stderr } = await athanor(...args)
    t.equal(code, 2)
    t.match(stderr, sentence)
  }
})
