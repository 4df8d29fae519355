import type { Engine, Job } from '../../kernel/contract.ts'
import type { Sandbox } from '../../kernel/sandbox/sandbox.ts'
import type { Sandboxes } from '../../kernel/sandbox/sandboxes.ts'
import { makeJob } from '../harness/sandboxes.ts'
import { until } from '../harness/until.ts'

export const program = '/usr/bin/python3'

/** Runs each argument as a Python statement. A ValueError refuses the file. */
const server = `
import json, os, sys, threading, time
booted = time.time()
def use(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end: pass
BOOT
print('ready', flush=True)
for line in sys.stdin:
    try:
        for statement in json.loads(line): exec(statement, globals())
        print('{"done":true}', flush=True)
    except ValueError as error:
        print(json.dumps({'error': {'code': 'ENCRYPTED_INPUT', 'message': str(error)}}), flush=True)
`

/**
 * Speaks the warm protocol, and runs each argument as a Python statement. `boot` is one that it runs before it is
 * ready.
 */
export const makeServer = (jobs = 3, { name = 'warmed', boot = '' } = {}): Engine => ({
  name,
  binary: ['python3'],
  version: ['--version'],
  argv: (_: Job, args: readonly string[]) => args,
  warm: { argv: ['-u', '-c', server.replace('BOOT', boot)], jobs },
})

/** Runs statements in a sandbox by an engine of `makeServer`. Resolves to what they print. */
export const runStatements = (box: Sandbox, engine: Engine, statements: string[], job: Partial<Job> = {}) =>
  box.run(engine, program, makeJob(job), statements, () => {})

/** Keeps spares of these engines. */
export const warm = (sandboxes: Sandboxes, ...engines: Engine[]) =>
  sandboxes.warm(new Map(engines.map((engine) => [engine, { path: program, version: '3', features: '' }])))
/** Whether an engine has a spare that has booted. */
export const ready = (sandboxes: Sandboxes, name: string) =>
  sandboxes.counts().some(({ engine, ready }) => engine === name && ready > 0)

/** Keeps spares of these engines, and waits until each has one. */
export async function boot(sandboxes: Sandboxes, ...engines: Engine[]): Promise<void> {
  warm(sandboxes, ...engines)
  for (const { name } of engines) await until(() => ready(sandboxes, name))
}
