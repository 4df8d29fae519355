import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import type { Engine } from '../../kernel/contract.ts'
import { runScript, sh, stage } from '../harness/sandboxes.ts'

t.test('an engine can read its own files, also from a checkout in the temporary folder', async (t) => {
  const checkout = await mkdtemp(join(tmpdir(), 'athanor-checkout-'))
  t.teardown(() => rm(checkout, { recursive: true, force: true }))
  await chmod(checkout, 0o755)
  const program = join(checkout, 'program')
  await writeFile(program, '#!/bin/sh\necho it runs\n')
  await chmod(program, 0o755)
  const engine: Engine = { ...sh, sandbox: { binds: [checkout], mounts: [[program, '/tmp/placed']] } }

  const { sandboxes } = await stage(t)
  await using sandbox = await sandboxes.open('owner', [engine])
  t.same(await runScript(sandbox, engine, `${program}; /tmp/placed`), ['it runs', 'it runs'])
  const write = `for f in ${program} /tmp/placed ${checkout}/new; do echo x 2>/dev/null >$f && echo wrote $f; done; true`
  t.same(await runScript(sandbox, engine, write), [], 'and cannot change it')
  t.same(await runScript(sandbox, engine, 'echo x >/tmp/own && cat /tmp/own'), ['x'], 'its own /tmp stays writable')
})
