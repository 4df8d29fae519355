import { execFile } from 'node:child_process'
import { chmod, chown, lstat, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { memoryFileSystems } from '../../kernel/sandbox/bubblewrap.ts'
import { makeFolder, separate, takeResult } from '../../kernel/sandbox/folder.ts'
import { bubblewrap } from '../../kernel/sandbox/launch.ts'
import { createTrash } from '../../kernel/sandbox/trash.ts'
import { unprivilegedUser } from '../../kernel/sandbox/user.ts'
import { watchEventLoop } from '../fixtures/event-loop.ts'
import { folderOf } from '../harness/folder.ts'
import { MiB, makeSource, runScript, sh, stage } from '../harness/sandboxes.ts'
import { until } from '../harness/until.ts'

t.test('neither the source nor the result is copied', async (t) => {
  const { sandboxes, dataDir } = await stage(t)
  await using box = await sandboxes.open('a', [])
  const source = await makeSource(dataDir, 'some bytes')
  await box.place(source, 'file.png')
  t.equal((await stat(source)).nlink, 2)
  await runScript(box, sh, 'tr a-z A-Z < /in/file.png > /out/file.txt')
  const result = await box.result('file.txt')
  t.equal(result?.size, 10)
  t.equal(await readFile(result!.path, 'utf8'), 'SOME BYTES')

  await box.advance('file.txt', 'file.txt')
  await runScript(box, sh, 'rev /in/file.txt > /out/file.abc')
  t.equal(await readFile((await box.result('file.abc'))!.path, 'utf8'), 'SETYB EMOS')
  t.equal(await readFile(source, 'utf8'), 'some bytes')
})

t.test('a result must be a regular file with one link and some content', async (t) => {
  const { sandboxes, dataDir } = await stage(t)
  const canary = await makeSource(dataDir, 'canary', 'canary')
  for (const [what, script] of Object.entries({
    'a link to a file of the host': `ln -s ${canary} /out/file.txt`,
    'a link to its own file': 'echo x > /out/a; ln -s a /out/file.txt',
    'a file with two names': 'echo x > /out/file.txt; ln /out/file.txt /out/b',
    'a folder': 'mkdir /out/file.txt; echo x > /out/file.txt/x',
    'an empty file': ': > /out/file.txt',
  })) {
    await using box = await sandboxes.open('a', [])
    await runScript(box, sh, script)
    await t.rejects(box.result('file.txt'), { code: 'CONVERSION_ERROR' }, what)
  }
  await using box = await sandboxes.open('a', [])
  t.equal(await box.result('file.txt'), undefined)
  await t.rejects(runScript(box, sh, 'mkfifo /out/file.txt'), { code: 'CONVERSION_ERROR' }, 'no FIFO can be made')
  t.equal(await readFile(canary, 'utf8'), 'canary')
})

t.test('a FIFO as a result does not block', async (t) => {
  const folder = await folderOf(t)
  await mkdir(`${folder}/out`)
  await promisify(execFile)('mkfifo', [`${folder}/out/file.txt`])
  await t.rejects(takeResult(folder, 'file.txt'), { code: 'CONVERSION_ERROR' })
})

t.test('the copy of a result has the bytes that were checked, and no special mode', async (t) => {
  const path = join(await folderOf(t), 'file')
  const bytes = Buffer.from(Array.from({ length: 700_001 }, (_, index) => index % 251))
  // A process that has the file open can extend and cut it after the check.
  for (const checked of [bytes.length, 300_000, bytes.length + 1]) {
    await writeFile(path, bytes)
    await chmod(path, 0o6755)
    const size = Math.min(checked, bytes.length)
    t.same(await separate({ path, size: checked }), { path, size })
    t.ok(bytes.subarray(0, size).equals(await readFile(path)))
    t.equal((await stat(path)).mode & 0o7777, 0o644)
  }
})

t.test('files of a failed run are removed, and the source is kept', async (t) => {
  const { sandboxes, dataDir } = await stage(t)
  const precious = await makeSource(dataDir, 'precious', 'precious')
  await using box = await sandboxes.open('a', [])
  await box.place(await makeSource(dataDir, 'source'), 'file.png')
  await runScript(
    box,
    sh,
    `mkdir -p /out/a/b /scratch/c; ln -s ${dataDir} /out/link; for i in $(seq 50); do echo > /out/$i; done`,
  )
  await box.clear()
  t.same(await runScript(box, sh, 'find /out /scratch -mindepth 1; cat /in/file.png'), ['source'])
  await sandboxes.close()
  t.equal(await readFile(precious, 'utf8'), 'precious')
})

/** A work folder with its trash. */
async function bin(t: Test) {
  const work = await folderOf(t)
  const user = unprivilegedUser()
  const limits = { cpu: 60, fileSize: MiB }
  const launcher = await bubblewrap({
    ...{ folder: join(work, '.sandbox'), limits, sizes: memoryFileSystems(256 * MiB), user, name: 'athanor-test' },
  })
  const trash = await createTrash(work, launcher, user)
  return { work, user, trash }
}

t.test('a sweep does not mind folders that are being removed', async (t) => {
  const { work, user, trash } = await bin(t)
  const folders = await Promise.all(Array.from({ length: 50 }, () => makeFolder(work, user)))
  await Promise.all(folders.map(trash.discard))
  await trash.sweep(['.sandbox'])
  await trash.idle()
  t.same(await readdir(`${work}/trash`), [])
})

t.test('a deep, large or closed tree is removed without blocking the event loop', async (t) => {
  const { work, user, trash } = await bin(t)
  const folder = await makeFolder(work, user)
  const script = `
import os
os.makedirs('scratch/closed/inner'); open('scratch/closed/inner/x', 'w')
os.chmod('scratch/closed/inner', 0); os.chmod('scratch/closed', 0)
for i in range(3000): open(f'scratch/{i}', 'w')
os.chdir('out')
for _ in range(10000): os.mkdir('d'); os.chdir('d')
`
  await promisify(execFile)('/usr/bin/python3', ['-c', script], { cwd: folder, ...user })
  const longest = watchEventLoop()
  await trash.discard(folder)
  t.not((await readdir(`${work}/trash`)).length, 0, 'nobody waits for it')
  await trash.idle()
  // If Node itself removed it, the event loop would block for ten seconds.
  const blocked = longest()
  t.ok(blocked < 2000, `the event loop was busy for ${Math.round(blocked)} ms`)
  t.same(await readdir(`${work}/trash`), [])
})

t.test('what cannot be removed is tried again later', { skip: process.getuid?.() !== 0 && 'needs root' }, async (t) => {
  const { work, user, trash } = await bin(t)
  const folder = await makeFolder(work, user)
  // As if a program still wrote there: the engines' user cannot remove what is in a folder of root.
  await mkdir(join(folder, 'scratch/theirs/inner'), { recursive: true, mode: 0o700 })
  await trash.discard(folder)
  const [name] = await readdir(`${work}/trash`)
  const kept = join(work, 'trash', name!)
  // Its first removal has ended when the program of the second one is there.
  const other = await makeFolder(work, user)
  await trash.discard(other)
  await until(async () => (await readdir(`${work}/trash`)).length === 1)
  t.same(await readdir(`${work}/trash`), [name])
  await rm(join(kept, 'scratch/theirs'), { recursive: true })
  await until(async () => (await readdir(`${work}/trash`)).length === 0)
})

t.test('folders that were half made, or half removed, when the service was killed', async (t) => {
  const { work, user, trash } = await bin(t)
  await mkdir(join(work, 'job-1-empty'))
  await mkdir(join(work, 'job-1-part/scratch/more'), { recursive: true })
  for (const path of ['scratch', 'scratch/more'])
    if (user) await chown(join(work, 'job-1-part', path), user.uid, user.gid)
  await mkdir(join(work, 'trash/job-1-removed/in'), { recursive: true })
  await trash.sweep(['.sandbox'])
  await trash.idle()
  t.same((await readdir(work)).sort(), ['.sandbox', 'trash'])
  t.same(await readdir(join(work, 'trash')), [])
})

t.test('other users cannot enter a job folder', { skip: process.getuid?.() !== 0 && 'needs root' }, async (t) => {
  const { sandboxes, dataDir } = await stage(t)
  await using box = await sandboxes.open('a', [])
  const [name] = (await readdir(`${dataDir}/work`)).filter((name) => name.startsWith('job-'))
  const folder = `${dataDir}/work/${name}`
  const { uid, mode } = await lstat(folder)
  t.same([uid, mode & 0o777], [0, 0o711], 'the service’s own: engines cannot replace its parts')
  for (const part of ['in', 'out', 'scratch']) {
    const { uid, mode } = await lstat(`${folder}/${part}`)
    t.ok(uid > 0, part)
    t.equal(mode & 0o777, 0o700, part)
  }
  const list = promisify(execFile)('ls', [`${dataDir}/work`], { uid: 12345, gid: 12345 })
  await t.rejects(list, /Permission denied/)
  t.ok(box)
})
