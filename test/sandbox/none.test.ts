import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import t from 'tap'
import { hasLandlock } from '../../kernel/sandbox/walls/landlock.ts'
import { unprivilegedUser } from '../../kernel/sandbox/walls/user.ts'
import { makeJob, makeSource, processesWith, sh, startSandboxes } from '../harness/sandboxes.ts'
import { until } from '../harness/until.ts'

t.test('without a sandbox, the same jobs run, with a warning', async (t) => {
  process.env.ATHANOR_CANARY = 'secret'
  t.teardown(() => delete process.env.ATHANOR_CANARY)
  const { sandboxes, dataDir, heard } = await startSandboxes(t, (settings) => ({ ...settings, sandbox: 'none' }))
  t.match(heard.warnings, [[/sandbox: none/]])

  const box = await sandboxes.open('a', [])
  const { paths } = box
  const jobOf = (change = {}) =>
    makeJob({ input: `${paths.in}/file.png`, output: `${paths.out}/file.txt`, scratch: paths.scratch, ...change })
  const run = (script: string, change = {}) => box.run(sh, '/usr/bin/sh', jobOf(change), ['-c', script], () => {})
  await box.place(await makeSource(dataDir, 'bytes'), 'file.png')

  t.same(await run('pwd; echo "$ATHANOR_CANARY$PATH"; ulimit -c'), [paths.scratch, '/usr/bin:/bin', '0'])
  await run(`cat ${paths.in}/file.png > ${paths.out}/file.txt`)
  t.equal(await readFile((await box.result('file.txt'))!.path, 'utf8'), 'bytes')
  await t.rejects(run('exit 3'), { code: 'CONVERSION_ERROR' })

  const mark = `bare-${process.pid}`
  const job = new AbortController()
  const running = run(`trap '' TERM; (sleep 600; : ${mark}) & sleep 600; : ${mark}`, { signal: job.signal })
  await until(async () => (await processesWith(mark)).length >= 2)
  job.abort(new Error('cancelled'))
  await t.rejects(running, { message: 'cancelled' })
  await until(async () => (await processesWith(mark)).length === 0)

  await box[Symbol.asyncDispose]()
  await sandboxes.close()
  t.same(await readdir(`${dataDir}/work/trash`), [])
})

const user = unprivilegedUser()

t.test('restricted by Landlock', { skip: !hasLandlock(user) && 'the kernel has no Landlock' }, async (t) => {
  const { sandboxes, dataDir, heard } = await startSandboxes(t, (settings) => ({ ...settings, sandbox: 'none' }))
  t.match(heard.warnings, [[/Landlock/]])
  const secret = await makeSource(dataDir, 'secret', 'secret')
  const server = createServer((socket) => socket.on('error', () => {}).end('reached')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const { port } = server.address() as AddressInfo

  await using box = await sandboxes.open('a', [])
  await box.place(await makeSource(dataDir, 'bytes'), 'file.png')
  const { paths } = box
  const attempts = [
    `cat ${secret}`,
    'cat /etc/hostname',
    'ls /',
    'ls /tmp',
    `ls ${dataDir}`,
    `echo x > /tmp/athanor-${port}`,
    `echo x > ${paths.in}/file.png`,
    `cat /proc/${process.pid}/environ`,
    `kill -0 ${process.pid}`,

    `echo x > /usr/share/athanor-${port}`,
    `perl -MIO::Socket::INET -e 'print IO::Socket::INET->new("127.0.0.1:${port}") ? "reached" : exit 1'`,
  ]
  // Each is made by a grandchild, which inherits the restrictions.
  const script = attempts.map(
    (attempt) =>
      `sh -c '${attempt.replaceAll("'", "'\\''")}' >${paths.scratch}/said 2>/dev/null && echo "${attempt.replaceAll('"', '')}"`,
  )
  const job = makeJob({ input: `${paths.in}/file.png`, output: `${paths.out}/file.txt`, scratch: paths.scratch })
  t.same(await box.run(sh, '/usr/bin/sh', job, ['-c', [...script, 'true'].join('\n')], () => {}), [], 'nothing works')
  const allowed = `cat ${paths.in}/file.png > ${paths.out}/file.txt && ls /usr >/dev/null && echo done`
  t.same(await box.run(sh, '/usr/bin/sh', job, ['-c', allowed], () => {}), ['done'], 'but the work')
})
