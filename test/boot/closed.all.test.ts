/** Other users of the machine cannot read the data folder of a service process, whatever happens beside it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, lstatSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { closeToOthers } from '../../kernel/boot/close.ts'
import { folderOf } from '../harness/folder.ts'
import { below, NOBODY, readableBy, tooOpen } from './permissions.ts'
import { convertAt, startStub } from './program.ts'

const isRoot = process.getuid?.() === 0

/** Others can enter the folder around it, so its content must be closed. */
async function newDataDir(t: Test): Promise<string> {
  const folder = await folderOf(t)
  chmodSync(folder, 0o755)
  return join(folder, 'data')
}

t.test('while it runs and converts in a sandbox', { skip: !isRoot }, async (t) => {
  const dataDir = await newDataDir(t)
  const service = startStub(t, dataDir, { yaml: 'sandbox: bubblewrap' })
  t.match(await convertAt(await service.ready(), 'STUB\nsecret'), 'secret')
  const paths = below(dataDir)
  t.ok(paths.some((path) => path.endsWith('a.stub')) && paths.some((path) => path.endsWith('a.bust')))
  t.strictSame(readableBy(NOBODY, paths), [])
  t.strictSame(tooOpen(paths), [])
})

t.test(
  'files with open permissions from an earlier version are closed at startup, and still served',
  { skip: !isRoot },
  async (t) => {
    const dataDir = await newDataDir(t)
    const first = startStub(t, dataDir)
    await convertAt(await first.ready(), 'STUB\nsecret')
    first.kill('SIGKILL')
    await first.ended()
    for (const path of below(dataDir)) chmodSync(path, lstatSync(path).isDirectory() ? 0o755 : 0o644)
    // Open before.
    t.ok(readableBy(NOBODY, below(dataDir)).some((path) => path.endsWith('athanor.sqlite')))

    const second = startStub(t, dataDir)
    t.match(await convertAt(await second.ready(), 'STUB\nmore'), 'more')
    t.strictSame(readableBy(NOBODY, below(dataDir)), [])
    t.strictSame(tooOpen(below(dataDir)), [])
  },
)

t.test('folders that an administrator’s command removes meanwhile do not fail a start', async (t) => {
  const dataDir = await newDataDir(t)
  mkdirSync(dataDir)
  const churn = `for (;;) {
    fs.mkdirSync('doctor-a/inner', { recursive: true })
    fs.writeFileSync('doctor-a/file', '')
    fs.rmSync('doctor-a', { recursive: true })
  }`
  const command = spawn(process.execPath, ['-e', churn], { cwd: dataDir, stdio: 'ignore' })
  t.teardown(() => {
    const ended = once(command, 'close')
    command.kill('SIGKILL')
    return ended
  })
  for (const end = performance.now() + 1500; performance.now() < end; ) closeToOthers(dataDir, undefined)
  t.pass()
})
