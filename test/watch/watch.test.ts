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
  // A file that grows is not complete.
  const growing = join(from, 'growing.stub')
  await writeFile(growing, 'STUB\n')
  for (let part = 0; part < 20; part++) {
    await appendFile(growing, `${part}\n`)
    await delay(400)
  }
  await untilFiles(into, 5)
  t.match(await readFile(join(into, 'growing.bust'), 'utf8'), /\n0\n1\n2\n[\s\S]*\n19\n/)
  t.ok((await list(into)).includes('späte Datei.bust'))
  await untilFiles(join(from, 'failed'), 2)
  t.same(await list(join(from, 'failed')), ['strange.xyz', 'strange.xyz.txt'])
  t.match(await readFile(join(from, 'failed/strange.xyz.txt'), 'utf8'), /^file: its format was not recognised; .*\n$/)
  await until(async () => (await list(join(from, 'archive'))).length === 4)
  t.same(await list(from), [
    'archive',
    'empty.stub',
    'failed',
    'folder.stub',
    'half.stub.part',
    'link.stub',
    '~$lock.stub',
  ])
  await until(async () => (await readdir(join(from, '.athanor/claimed'))).length === 0)
  t.same(
    (await readdir(into)).filter((name) => name.startsWith('.')),
    [],
  )

  const guest = (await (await fetch(`${base}/api/conversions`)).json()) as { conversions: object[] }
  t.same(guest.conversions, [], 'no client sees them')
  await rename(from, `${from}.away`)
  await until(() => service.stdout().includes('"msg":"watched folder is away"'))
  service.kill('SIGTERM')
  t.equal((await service.ended()).code, 0)
})

t.test('what took the place of a file just before it was claimed is not opened', async (t) => {
  const { from, into, start } = await watchedFolders(t)
  const claimed = join(from, '.athanor/claimed/one/source')
  await mkdir(claimed, { recursive: true })
  // To open it would never end.
  await program('mkfifo', join(claimed, 'pipe.stub'))
  await start().ready()
  await untilFiles(join(from, 'failed'), 2)
  t.match(await readFile(join(from, 'failed/pipe.stub.txt'), 'utf8'), /^It is not a file/)
  t.same(await list(into), [])
})

t.test('a service that is killed converts each file once', async (t) => {
  await surviveKills(t, 12, 1)
})
