/** What a spare does before its owner's first job, if its engine tells a rehearsal. */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import t, { type Test } from 'tap'
import { libreoffice } from '../../engines/libreoffice.ts'
import type { Engine, Job } from '../../kernel/contract.ts'
import { flatten } from '../../kernel/kit.ts'
import type { Sandbox } from '../../kernel/sandbox/job-sandbox.ts'
import { removeFolder } from '../services/remove-folder.ts'
import { makeJob, processesWith, stage, until } from './stage.ts'
import { countsOf, ready, warm } from './warm-stage.ts'

/** Speaks the warm protocol: runs each argument as a Python statement. */
const server = `
import json, os, sys, time
done = 'nothing'
print('ready', flush=True)
for line in sys.stdin:
    for statement in json.loads(line): exec(statement, globals())
    print('{"done":true}', flush=True)
`
const makeEngine = (...rehearsal: string[]): Engine => ({
  ...{
    name: 'rehearsing',
    binary: ['python3'],
    version: ['--version'],
    argv: (_: Job, args: readonly string[]) => args,
  },
  warm: { argv: ['-u', '-c', server], jobs: 3, rehearsal },
})
const tell = (box: Sandbox, engine: Engine) =>
  box.run(engine, '/usr/bin/python3', makeJob(), ['print(done, flush=True)'], () => {})

t.test('a spare rehearses before it is ready, if no job runs', async (t) => {
  const { sandboxes } = await stage(t)
  const engine = makeEngine("done = 'rehearsal'")
  warm(sandboxes, engine)
  await until(() => ready(sandboxes, 'rehearsing'))
  await using box = await sandboxes.open('one', [engine])
  t.same(await tell(box, engine), ['rehearsal'])
})

t.test('a spare that boots beside a job does not rehearse', async (t) => {
  const { sandboxes } = await stage(t)
  const engine = makeEngine("done = 'rehearsal'")
  await using _other = await sandboxes.open('another', [])
  warm(sandboxes, engine)
  // Its turn comes after some seconds although there is always a job.
  await until(() => ready(sandboxes, 'rehearsing'))
  await using box = await sandboxes.open('one', [engine])
  t.same(await tell(box, engine), ['nothing'])
})

t.test('a job that takes a spare from its rehearsal waits for the end of it, and gets its own answer', async (t) => {
  const { sandboxes } = await stage(t)
  const engine = makeEngine(
    "open('/tmp/began', 'w')",
    "while os.path.exists('/tmp/began'): time.sleep(0.01)",
    "done = 'rehearsal'",
  )
  warm(sandboxes, engine)
  let folder: string | undefined
  await until(async () => {
    // Another process of the sandbox still has the root folder of the machine.
    const folders = (await processesWith('exec(statement')).map((pid) => `/proc/${pid}/root/tmp`)
    folder = folders.find((path) => existsSync(`${path}/began`))
    return folder !== undefined
  })
  t.equal(countsOf(sandboxes, 'rehearsing').ready, 0)
  await using box = await sandboxes.open('one', [engine])
  t.equal(countsOf(sandboxes, 'rehearsing').booting, 0, 'it is taken')
  const told = tell(box, engine)
  await rm(`${folder}/began`)
  t.same(await told, ['rehearsal'])
})

t.test('a spare that ends in its rehearsal is no spare; jobs start a process themselves', async (t) => {
  const { sandboxes, heard } = await stage(t)
  const engine = makeEngine('sys.exit(3)')
  warm(sandboxes, engine)
  await until(() => heard.warnings.length > 0)
  t.match(JSON.stringify(heard.warnings), /rehearsing/)
  t.equal(countsOf(sandboxes, 'rehearsing').ready, 0)
  await using box = await sandboxes.open('one', [engine])
  t.same(await tell(box, engine), ['nothing'])
})

/** What LibreOffice keeps: its profile, a folder of its own, and caches of libraries. */
const OWN = /^(office|lu.*|\..*)$/

/** Gives a program its rehearsal, twice, outside of any sandbox. Resolves to its answers, and to what is left in its folder. */
async function rehearse(t: Test, engine: Engine) {
  const folder = await mkdtemp(join(tmpdir(), 'athanor-rehearsal-'))
  t.teardown(() => removeFolder(folder))
  const env = { ...process.env, ...engine.sandbox?.env, TMPDIR: folder, HOME: folder }
  const [program = '', ...args] = [engine.binary[0]!, ...flatten(engine.warm!.argv)]
  const child = execFile(program, args, { env })
  const lines: string[] = []
  const left: string[][] = []
  for await (const line of createInterface({ input: child.stdout! })) {
    if (line !== 'ready') {
      lines.push(line)
      left.push((await readdir(folder)).filter((name) => !OWN.test(name)))
    }
    if (lines.length === 2) child.stdin!.end()
    else child.stdin!.write(`${JSON.stringify(flatten(engine.warm!.rehearsal!))}\n`)
  }
  if (child.exitCode === null) await once(child, 'exit')
  return { lines, left, code: child.exitCode }
}

t.test('LibreOffice does its rehearsal without an error, and leaves no file', async (t) => {
  const done = '{"done":true}'
  const { lines, left, code } = await rehearse(t, libreoffice)
  t.same(
    lines.map((line) => line.replaceAll(' ', '')),
    [done, done],
  )
  t.same(left, [[], []])
  t.equal(code, 0)
})
