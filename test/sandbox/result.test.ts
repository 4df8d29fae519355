import { execFile } from 'node:child_process'
import { hash } from 'node:crypto'
import { chmod, lstat, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { separate, takeResult } from '../../kernel/sandbox/folder.ts'
import { folderOf } from '../harness/folder.ts'
import { makeSource, runScript, sh, startSandboxes } from '../harness/sandboxes.ts'

t.test('neither the source nor the result is copied', async (t) => {
  const { sandboxes, dataDir } = await startSandboxes(t)
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
  const { sandboxes, dataDir } = await startSandboxes(t)
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
    const sha256 = hash('sha256', bytes.subarray(0, size))
    t.same(await separate({ path, size: checked }), { path, size, sha256 })
    t.ok(bytes.subarray(0, size).equals(await readFile(path)))
    t.equal((await stat(path)).mode & 0o7777, 0o644)
  }
})

t.test('files of a failed run are removed, and the source is kept', async (t) => {
  const { sandboxes, dataDir } = await startSandboxes(t)
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

t.test('other users cannot enter a job folder', { skip: process.getuid?.() !== 0 && 'needs root' }, async (t) => {
  const { sandboxes, dataDir } = await startSandboxes(t)
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
