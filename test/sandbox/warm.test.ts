import { readFileSync } from 'node:fs'
import t from 'tap'
import type { Engine, Job } from '../../kernel/contract.ts'
import type { Sandbox } from '../../kernel/sandbox/job-sandbox.ts'
import type { Sandboxes } from '../../kernel/sandbox/sandbox.ts'
import { stat } from '../harness/processes.ts'
import { makeJob, makeSource, processesWith, runScript, sh, stage } from '../harness/sandboxes.ts'
import { until } from '../harness/until.ts'

/** Speaks the warm protocol: runs each argument as a Python statement. */
const server = `
import json, os, sys, time
booted = time.time()
def run(): 
    for line in sys.stdin:
        try:
            for statement in json.loads(line): exec(statement, globals())
            print('{"done":true}', flush=True)
        except ValueError as error:
            print(json.dumps({'error': {'code': 'ENCRYPTED_INPUT', 'message': str(error)}}), flush=True)
print('ready', flush=True)
run()
`
const makeEngine = (jobs = 3, script = server): Engine => ({
  ...{ name: 'warmed', binary: ['python3'], version: ['--version'], argv: (_: Job, args: readonly string[]) => args },
  warm: { argv: ['-u', '-c', script], jobs },
})
const program = '/usr/bin/python3'
const boot = async (sandboxes: Sandboxes, engine: Engine) => {
  sandboxes.warm(new Map([[engine, { path: program, version: '3', features: '' }]]))
  await spare()
}
/** Waits until a spare has booted and waits for its job in read(2) of its standard input. It also sleeps while it boots. */
const spare = () => until(async () => (await processesWith('json.loads(line)')).some(sleeps))
const sleeps = (pid: number) => {
  const found = stat(pid)
  return found?.state === 'S' && found.name.startsWith('python3') && inReadOfInput(pid)
}
/** proc(5): the number of the system call and its arguments. The first argument of read(2) is the descriptor. */
function inReadOfInput(pid: number): boolean {
  try {
    return /^\d+ 0x0 /.test(readFileSync(`/proc/${pid}/syscall`, 'utf8'))
  } catch {
    return false
  }
}
const run = (box: Sandbox, engine: Engine, statements: string[], job: Partial<Job> = {}) =>
  box.run(engine, program, makeJob(job), statements, () => {})
/** Marks the process in the first job, and tells later jobs whether it is the same. */
const mark = ["print('same' if 'marked' in globals() else 'new')", 'marked = True']

async function once(sandboxes: Sandboxes, owner: string, engine: Engine, statements: string[]) {
  await using box = await sandboxes.open(owner, [engine])
  return await run(box, engine, statements)
}

t.test('a process serves one owner only, and a limited number of jobs', async (t) => {
  const engine = makeEngine(3)
  const { sandboxes } = await stage(t)
  await boot(sandboxes, engine)
  for (const expected of ['new', 'same', 'same', 'new', 'same'])
    t.same(await once(sandboxes, 'a', engine, mark), [expected])
  t.same(await once(sandboxes, 'b', engine, mark), ['new'])
  t.same(await once(sandboxes, 'b', engine, mark), ['same'])
  t.same(await once(sandboxes, 'a', engine, mark), ['same'])
})

t.test('a spare process is ready before its job, and is replaced afterwards', async (t) => {
  const engine = makeEngine(1)
  const { sandboxes } = await stage(t)
  await boot(sandboxes, engine)
  const began = Date.now() / 1000
  const [booted] = await once(sandboxes, 'a', engine, ['print(booted)'])
  t.ok(Number(booted) < began, 'it was there')
  await spare()
})

t.test('without reuse, every job has its own process', async (t) => {
  const engine = makeEngine()
  const { sandboxes } = await stage(t, (settings) => ({ ...settings, warm: { ...settings.warm, reuse: false } }))
  await boot(sandboxes, engine)
  for (let job = 0; job < 3; job++) t.same(await once(sandboxes, 'a', engine, mark), ['new'])
})

t.test('the process works on the files of the job', async (t) => {
  const engine = makeEngine()
  const { sandboxes, dataDir } = await stage(t)
  await boot(sandboxes, engine)
  for (const content of ['first', 'second']) {
    await using box = await sandboxes.open('a', [engine])
    await box.place(await makeSource(dataDir, content, content), 'file.png')
    await run(box, engine, ["open('/out/file.txt', 'w').write(open('/in/file.png').read() * 2)"])
    t.equal((await box.result('file.txt'))?.size, content.length * 2)
    t.same(await runScript(box, sh, 'cat /in/*; ls /out /scratch | tr "\\n" " "'), [`${content}/out:  /scratch: `])
  }
  await using box = await sandboxes.open('a', [engine])
  t.same(await run(box, engine, ["print(os.listdir('/in') + os.listdir('/out') + os.listdir('/scratch'))"]), ['[]'])
})

t.test('if one job needs two, the first is kept', async (t) => {
  const [first, second] = [makeEngine(9), makeEngine(9)]
  const { sandboxes } = await stage(t)
  await boot(sandboxes, first)
  await boot(sandboxes, second)
  for (const expected of ['new', 'same', 'same']) {
    await using box = await sandboxes.open('a', [first, second])
    t.same(await run(box, first, mark), [expected])
    t.same(await run(box, second, mark), ['new'])
  }
})

t.test('a process that cannot be cleaned up cheaply is ended', async (t) => {
  const engine = makeEngine(100)
  const { sandboxes } = await stage(t)
  await boot(sandboxes, engine)
  const tries = { plain: ["open('/scratch/x', 'w')"], folder: ["os.makedirs('/scratch/a/b')"] }
  t.same(await once(sandboxes, 'a', engine, [...mark, ...tries.plain]), ['new'])
  t.same(await once(sandboxes, 'a', engine, [...mark, ...tries.folder]), ['same'])
  t.same(await once(sandboxes, 'a', engine, mark), ['new'])
})

t.test('if the process answers with an error, the job fails and the process continues', async (t) => {
  const engine = makeEngine(100)
  const { sandboxes } = await stage(t)
  await boot(sandboxes, engine)
  await once(sandboxes, 'a', engine, mark)
  const failing = once(sandboxes, 'a', engine, ["raise ValueError('/in/file.png needs a\\npassword')"])
  await t.rejects(failing, { code: 'ENCRYPTED_INPUT', message: 'the file needs a password' })
  t.same(await once(sandboxes, 'a', engine, mark), ['same'])
})

t.test('a crash costs one job', async (t) => {
  const engine = makeEngine(100)
  const { sandboxes } = await stage(t)
  await boot(sandboxes, engine)
  await t.rejects(once(sandboxes, 'a', engine, ['os.abort()']), { code: 'CONVERSION_ERROR' })
  await t.rejects(once(sandboxes, 'a', engine, ['os._exit(0)']), { code: 'CONVERSION_ERROR' })
  await t.rejects(once(sandboxes, 'a', engine, ["block = b'x' * 2**29", 'time.sleep(100)']), { code: 'RESOURCE_LIMIT' })
  t.same(await once(sandboxes, 'a', engine, mark), ['new'])
})

t.test('a job without an answer ends by the signal, together with the process', async (t) => {
  const engine = makeEngine(100)
  const { sandboxes } = await stage(t)
  await boot(sandboxes, engine)
  const reason = new Error('too slow')
  const job = new AbortController()
  {
    await using box = await sandboxes.open('a', [engine])
    const running = run(box, engine, ["open('/scratch/began', 'w')", 'time.sleep(60)'], { signal: job.signal })
    setTimeout(() => job.abort(reason), 200)
    await t.rejects(running, reason)
  }
  t.same(await once(sandboxes, 'a', engine, mark), ['new'])
})

t.test('without a spare, a process is started for the job', async (t) => {
  const engine = makeEngine(100)
  const { sandboxes } = await stage(t, (settings) => ({ ...settings, warm: { ...settings.warm, spares: 0 } }))
  await using box = await sandboxes.open('a', [engine])
  t.same(await run(box, engine, mark), ['new'])
  t.same(await run(box, engine, mark), ['same'], 'and serves the rest of the job')
})

t.test('a process that burns time between jobs is ended', async (t) => {
  const engine = makeEngine(100)
  const { sandboxes } = await stage(t)
  await boot(sandboxes, engine)
  const mine = await processesWith('--args', 'json.loads(line)')
  t.not(mine.length, 0)
  const spin = ['import threading', "threading.Thread(target=lambda: exec('while 1: pass')).start()"]
  await once(sandboxes, 'a', engine, spin)
  const ended = async () => (await processesWith('--args')).every((pid) => !mine.includes(pid))
  await until(ended)
  t.same(await once(sandboxes, 'a', engine, mark), ['new'])
})

t.test('a process that fills its memory file system between jobs is ended', async (t) => {
  const engine = makeEngine(100)
  const { sandboxes } = await stage(t, (s) => ({ ...s, limits: { ...s.limits, files: 200 } }))
  await boot(sandboxes, engine)
  const mine = await processesWith('--args', 'json.loads(line)')
  // Long after its job, when the watchdog has seen it rest for a while.
  const fill = "threading.Timer(1.5, lambda: [open(f'/tmp/{n}', 'w').close() for n in range(300)]).start()"
  await once(sandboxes, 'a', engine, ['import threading', fill])
  await until(async () => (await processesWith('--args')).every((pid) => !mine.includes(pid)))
  t.same(await once(sandboxes, 'a', engine, mark), ['new'])
})

t.test('an engine that does not start is reported, and its job fails', async (t) => {
  const engine = makeEngine(1, 'raise SystemExit("no module named warmth")')
  const { sandboxes, heard } = await stage(t)
  sandboxes.warm(new Map([[engine, { path: program, version: '3', features: '' }]]))
  await t.rejects(once(sandboxes, 'a', engine, mark), { code: 'CONVERSION_ERROR' })
  await until(() => heard.warnings.length > 0)
  t.match(heard.warnings, [[{ engine: 'warmed' }, /cannot start an engine in advance/]])
})

t.test('closing ends all processes', async () => {
  // Processes that were killed may still be ending.
  await until(async () => (await processesWith('--args', 'json.loads(line)')).length === 0)
})
