/** The whole of what `watch.test.ts` samples: what becomes of sources, and many kills. */
import { mkdir, readdir, symlink, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { folderOf } from '../harness/folder.ts'
import { until } from '../harness/until.ts'
import { list, untilFiles, watchedFolders, writeStubs } from './folders.ts'
import { surviveKills } from './kills.ts'

t.test('converted files can stay, until they change', async (t) => {
  const { from, into, start } = await watchedFolders(t)
  await writeStubs(from, ['a.stub', 'b.stub'])
  const first = start({ after: 'keep' })
  await first.ready()
  await untilFiles(into, 2)
  await until(async () => (await list(from)).length === 2)
  first.kill('SIGKILL')
  await first.ended()
  await start({ after: 'keep' }).ready()
  await writeFile(join(from, 'b.stub'), 'STUB\nchanged')
  await writeStubs(from, ['c.stub'])
  await untilFiles(into, 4)
  await until(async () => (await list(from)).length === 3)
  t.same(await list(into), ['a.bust', 'b (2).bust', 'b.bust', 'c.bust'])
})

t.test('a second service waits, and takes over when the first one is killed', async (t) => {
  const { from, into, start } = await watchedFolders(t)
  const first = start({ after: 'delete', options: { sleep: 600_000 } }, 'first')
  await first.ready()
  await writeStubs(from, ['a.stub'])
  await until(async () => (await list(from)).length === 0)
  const second = start({ after: 'delete' }, 'second')
  await second.ready()
  first.kill('SIGKILL')
  await untilFiles(into, 1)
  await until(async () => (await readdir(join(from, '.athanor/claimed'))).length === 0)
  t.same(await list(from), [])
})

t.test('a file that cannot be moved is reported once, and taken when it can be', async (t) => {
  const { from, into, start } = await watchedFolders(t)
  const claimed = join(from, '.athanor/claimed')
  await mkdir(join(from, '.athanor'))
  // No file moves to another file system.
  await symlink(await folderOf(t, '/dev/shm'), claimed)
  await writeStubs(from, ['a.stub'])
  const service = start()
  await service.ready()
  const postponed = () =>
    service.stdout().match(/"file":"..stub".*EXDEV.*"msg":"watched file is tried again later"/g) ?? []
  await until(() => postponed().length > 0)
  await writeStubs(from, ['b.stub'])
  await until(() => postponed().some((line) => line.includes('b.stub')))
  await unlink(claimed)
  await mkdir(claimed)
  await untilFiles(into, 2)
  t.equal(postponed().length, 2)
  t.notMatch(service.stdout(), /watched folder is away/)
})

t.test('200 files and six kills: each result exactly once', (t) => surviveKills(t, 200, 6))

t.test('a target or an option that does not exist ends the start with a sentence', async (t) => {
  const { start } = await watchedFolders(t)
  for (const [settings, message] of [
    [{ to: 'bus' }, /^watch\[0\]\.to: no file can become "bus"; did you mean bust\?\n$/],
    [{ options: { sleeep: 1 } }, /^watch\[0\]\.options\.sleeep is not an option/],
    [{ into: 'scans', from: 'scans' }, /^watch\[0\]\.into: results would be converted again/],
  ] as const) {
    const { code, stderr } = await start(settings).ended()
    t.equal(code, 78)
    t.match(stderr, message)
  }
})
