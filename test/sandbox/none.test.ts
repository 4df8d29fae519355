import { readdir, readFile } from 'node:fs/promises'
import t from 'tap'
import { makeJob, makeSource, processesWith, sh, stage, until } from './stage.ts'

t.test('without a sandbox the same jobs run, with a warning', async (t) => {
  process.env.ATHANOR_CANARY = 'secret'
  t.teardown(() => delete process.env.ATHANOR_CANARY)
  const { sandboxes, dataDir, heard } = await stage(t, (settings) => ({ ...settings, sandbox: 'none' }))
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
  const running = run(`trap '' TERM; (sleep 60; : ${mark}) & sleep 60; : ${mark}`, { signal: job.signal })
  await until(async () => (await processesWith(mark)).length >= 2, 5000)
  job.abort(new Error('cancelled'))
  await t.rejects(running, { message: 'cancelled' })
  await until(async () => (await processesWith(mark)).length === 0, 2000)

  await box[Symbol.asyncDispose]()
  await sandboxes.close()
  t.same(await readdir(`${dataDir}/work/trash`), [])
})
