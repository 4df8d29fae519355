/** What a spare does before its owner's first job, if its engine declares a rehearsal. */
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import t from 'tap'
import type { Engine } from '../../kernel/contract.ts'
import type { Sandbox } from '../../kernel/sandbox/job-sandbox.ts'
import { processesWith, startSandboxes } from '../harness/sandboxes.ts'
import { until } from '../harness/until.ts'
import { boot, countsOf, makeServer, runStatements, warm } from './warm-engines.ts'

const makeEngine = (...rehearsal: string[]) => makeServer(3, { name: 'rehearsing', rehearsal })
const tell = (box: Sandbox, engine: Engine) => runStatements(box, engine, ['print(done, flush=True)'])

t.test('a spare rehearses before it is ready, if no job runs', async (t) => {
  const { sandboxes } = await startSandboxes(t)
  const engine = makeEngine("done = 'rehearsal'")
  await boot(sandboxes, engine)
  await using box = await sandboxes.open('one', [engine])
  t.same(await tell(box, engine), ['rehearsal'])
})

/** Waits until a spare has begun its rehearsal. Resolves to its folder `/tmp`, as this process sees it. */
async function rehearsing(): Promise<string> {
  let folder: string | undefined
  await until(async () => {
    // Another process of the sandbox still has the root folder of the machine.
    const folders = (await processesWith('exec(statement')).map((pid) => `/proc/${pid}/root/tmp`)
    folder = folders.find((path) => existsSync(`${path}/began`))
    return folder !== undefined
  })
  return folder!
}
const waiting = ["open('/tmp/began', 'w')", "while os.path.exists('/tmp/began'): time.sleep(0.01)"]

t.test('a job that takes a spare from its rehearsal waits for the end of it, and gets its own answer', async (t) => {
  const { sandboxes } = await startSandboxes(t)
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
  const { sandboxes } = await startSandboxes(t)
  const engine = makeEngine(...waiting, 'sys.exit(3)')
  warm(sandboxes, engine)
  const folder = await rehearsing()
  await using box = await sandboxes.open('one', [engine])
  const told = tell(box, engine)
  await rm(`${folder}/began`)
  t.same(await told, ['nothing'])
})

t.test('a job that is cancelled while its spare rehearses ends at once', async (t) => {
  const { sandboxes } = await startSandboxes(t)
  const engine = makeEngine(...waiting)
  warm(sandboxes, engine)
  await rehearsing()
  const abort = new AbortController()
  await using box = await sandboxes.open('one', [engine])
  const told = runStatements(box, engine, ['print(1)'], { signal: abort.signal })
  abort.abort(new Error('cancelled'))
  await t.rejects(told, { message: 'cancelled' })
  await until(async () =>
    (await processesWith('exec(statement')).every((pid) => !existsSync(`/proc/${pid}/root/tmp/began`)),
  )
})

for (const [what, act, line] of [
  ['ends', 'sys.exit(3)', undefined],
  ['is refused', "raise ValueError('no such font')", 'no such font'],
] as const)
  t.test(`an engine whose rehearsal ${what} has spares that do without`, async (t) => {
    const { sandboxes, heard } = await startSandboxes(t)
    const engine = makeEngine("done = 'half a rehearsal'", act)
    await boot(sandboxes, engine)
    t.equal(heard.warnings.length, 1)
    t.match(JSON.stringify(heard.warnings), /rehearsing.*the rehearsal of an engine failed/)
    if (line) t.match(JSON.stringify(heard.warnings), line)
    await using box = await sandboxes.open('one', [engine])
    t.same(await tell(box, engine), [line ? 'half a rehearsal' : 'nothing'])
  })
