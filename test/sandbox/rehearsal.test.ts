/** What a spare does before its owner's first job, if its engine declares a rehearsal. */
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
import { removeFolder } from '../harness/folder.ts'
import { descendants, stat } from '../harness/processes.ts'
import { makeJob, processesWith, stage } from '../harness/sandboxes.ts'
import { until } from '../harness/until.ts'
import { countsOf, ready, warm } from './warm-stage.ts'

/** Speaks the warm protocol: runs each argument as a Python statement. */
const server = `
import json, os, sys, time
done = 'nothing'
print('ready', flush=True)
for asked in sys.stdin:
    try:
        for act in json.loads(asked): exec(act, globals())
        print('{"done":true}', flush=True)
    except ValueError as error:
        print(error)
        print('{"error":{"code":"CONVERSION_ERROR","message":""}}', flush=True)
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

/** Waits until a spare has begun its rehearsal. Resolves to its folder `/tmp`, as this process sees it. */
async function rehearsing(): Promise<string> {
  let folder: string | undefined
  await until(async () => {
    // Another process of the sandbox still has the root folder of the machine.
    const folders = (await processesWith('exec(act')).map((pid) => `/proc/${pid}/root/tmp`)
    folder = folders.find((path) => existsSync(`${path}/began`))
    return folder !== undefined
  })
  return folder!
}
const waiting = ["open('/tmp/began', 'w')", "while os.path.exists('/tmp/began'): time.sleep(0.01)"]

t.test('a job that takes a spare from its rehearsal waits for the end of it, and gets its own answer', async (t) => {
  const { sandboxes } = await stage(t)
  const engine = makeEngine(...waiting, "done = 'rehearsal'")
  warm(sandboxes, engine)
  const folder = await rehearsing()
  t.equal(countsOf(sandboxes, 'rehearsing').ready, 0)
  await using box = await sandboxes.open('one', [engine])
  t.equal(countsOf(sandboxes, 'rehearsing').booting, 0, 'it is taken')
  const told = tell(box, engine)
  await rm(`${folder}/began`)
  t.same(await told, ['rehearsal'])
})

t.test('a job whose spare ends in its rehearsal gets another process', async (t) => {
  const { sandboxes } = await stage(t)
  const engine = makeEngine(...waiting, 'sys.exit(3)')
  warm(sandboxes, engine)
  const folder = await rehearsing()
  await using box = await sandboxes.open('one', [engine])
  const told = tell(box, engine)
  await rm(`${folder}/began`)
  t.same(await told, ['nothing'])
})

t.test('a job that is cancelled while its spare rehearses ends at once', async (t) => {
  const { sandboxes } = await stage(t)
  const engine = makeEngine(...waiting)
  warm(sandboxes, engine)
  await rehearsing()
  const abort = new AbortController()
  await using box = await sandboxes.open('one', [engine])
  const told = box.run(engine, '/usr/bin/python3', makeJob({ signal: abort.signal }), ['print(1)'], () => {})
  abort.abort(new Error('cancelled'))
  await t.rejects(told, { message: 'cancelled' })
  await until(async () => (await processesWith('exec(act')).every((pid) => !existsSync(`/proc/${pid}/root/tmp/began`)))
})

for (const [what, act, line] of [
  ['ends', 'sys.exit(3)', undefined],
  ['is refused', "raise ValueError('no such font')", 'no such font'],
] as const)
  t.test(`an engine whose rehearsal ${what} has spares that do without`, async (t) => {
    const { sandboxes, heard } = await stage(t)
    const engine = makeEngine("done = 'half a rehearsal'", act)
    warm(sandboxes, engine)
    await until(() => ready(sandboxes, 'rehearsing'))
    t.equal(heard.warnings.length, 1)
    t.match(JSON.stringify(heard.warnings), /rehearsing.*the rehearsal of an engine failed/)
    if (line) t.match(JSON.stringify(heard.warnings), line)
    await using box = await sandboxes.open('one', [engine])
    t.same(await tell(box, engine), [line ? 'half a rehearsal' : 'nothing'])
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
  const offices = new Set<number>()
  const lines: string[] = []
  const left: string[][] = []
  const look = setInterval(() => {
    for (const pid of descendants(child.pid!)) {
      const found = stat(pid)
      // Not what it starts itself, which has its name until it is another program.
      if (found?.name === 'soffice.bin' && !offices.has(found.parent)) offices.add(pid)
    }
  }, 20)
  for await (const line of createInterface({ input: child.stdout! })) {
    if (line !== 'ready') {
      lines.push(line)
      left.push((await readdir(folder)).filter((name) => !OWN.test(name)))
    }
    if (lines.length === 2) child.stdin!.end()
    else child.stdin!.write(`${JSON.stringify(flatten(engine.warm!.rehearsal!))}\n`)
  }
  clearInterval(look)
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return { lines, left, code: child.exitCode, offices: offices.size }
}

t.test('LibreOffice starts once, does its rehearsal without an error, and leaves no file', async (t) => {
  const done = '{"done":true}'
  const { lines, left, code, offices } = await rehearse(t, libreoffice)
  t.same(
    lines.map((line) => line.replaceAll(' ', '')),
    [done, done],
  )
  t.same(left, [[], []])
  t.equal(offices, 1, 'it starts once, although its profile is new')
  t.equal(code, 0)
})
