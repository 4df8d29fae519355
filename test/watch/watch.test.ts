/** Folders that the service watches: what becomes of their files, and that each result appears once. */
import { appendFile, mkdir, readdir, readFile, rename, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { program } from '../fixtures/program.ts'
import { until } from '../harness/until.ts'
import { list, untilFiles, watchedFolders, writeStubs } from './folders.ts'
import { surviveKills } from './kills.ts'

t.test('files are converted as they arrive, with their dates, and move to the archive', async (t) => {
  const { folder, from, into, start } = await watchedFolders(t)
  await writeStubs(from, ['before.stub'])
  const taken = new Date('2019-05-04T03:02:01Z')
  await utimes(join(from, 'before.stub'), taken, taken)
  await mkdir(into)
  await writeFile(join(into, 'before.bust'), 'of somebody else')
  const claimed = join(from, '.athanor/claimed')
  await mkdir(join(claimed, 'one/source'), { recursive: true })
  // It took the place of a file just before that was claimed. To open it would never end.
  await program('mkfifo', join(claimed, 'one/source/pipe.stub'))
  const service = start()
  const base = await service.ready()
  await untilFiles(into, 2)
  t.equal(await readFile(join(into, 'before.bust'), 'utf8'), 'of somebody else', 'nothing is overwritten')
  t.match(await readFile(join(into, 'before (2).bust'), 'utf8'), /^BUST\nbefore\.stub/)
  t.same((await stat(join(into, 'before (2).bust'))).mtime, taken)
  await untilFiles(join(from, 'archive'), 1)

  await writeFile(join(folder, 'secret.stub'), 'STUB\nsecret')
  await symlink(join(folder, 'secret.stub'), join(from, 'link.stub'))
  await writeStubs(from, ['.hidden.stub', 'half.stub.part', '~$lock.stub'])
  await writeFile(join(from, 'empty.stub'), '')
  await mkdir(join(from, 'folder.stub'))
  await writeFile(join(from, 'strange.xyz'), Buffer.from([1, 2, 3]))
  await writeStubs(from, ['späte Datei.stub', `${'n'.repeat(250)}.stub`])
  // A file that grows is not complete. It grows for longer than the others take.
  const growing = join(from, 'growing.stub')
  await writeFile(growing, 'STUB\n')
  let parts = 0
  while ((await list(into)).length < 4) {
    await appendFile(growing, `${parts++}\n`)
    await delay(100)
  }
  await untilFiles(into, 5)
  t.match(await readFile(join(into, 'growing.bust'), 'utf8'), `\n${parts - 1}\n`)
  t.ok((await list(into)).includes('späte Datei.bust'))
  await untilFiles(join(from, 'failed'), 4)
  t.same(await list(join(from, 'failed')), ['pipe.stub', 'pipe.stub.txt', 'strange.xyz', 'strange.xyz.txt'])
  t.match(await readFile(join(from, 'failed/pipe.stub.txt'), 'utf8'), /^It is not a file/)
  t.match(await readFile(join(from, 'failed/strange.xyz.txt'), 'utf8'), /^file: its format was not recognised; .*\n$/)
  await until(async () => (await list(join(from, 'archive'))).length === 4)
  const left = ['archive', 'empty.stub', 'failed', 'folder.stub', 'half.stub.part', 'link.stub', '~$lock.stub']
  t.same(await list(from), left)
  await until(async () => (await readdir(claimed)).length === 0)
  t.notOk((await readdir(into)).some((name) => name.startsWith('.')))

  const guest = (await (await fetch(`${base}/api/conversions`)).json()) as { conversions: object[] }
  t.same(guest.conversions, [], 'no client sees them')
  await rename(from, `${from}.away`)
  await until(() => service.stdout().includes('"msg":"watched folder is away"'))
  service.kill('SIGTERM')
  t.equal((await service.ended()).code, 0)
})

t.test('a service that is killed converts each file once', (t) => surviveKills(t, 12, 1))
