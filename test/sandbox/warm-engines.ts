import type { Engine, Job } from '../../kernel/contract.ts'
import type { Sandbox } from '../../kernel/sandbox/job-sandbox.ts'
import type { Sandboxes } from '../../kernel/sandbox/sandbox.ts'
import { makeJob } from '../harness/sandboxes.ts'
import { until } from '../harness/until.ts'

export const program = '/usr/bin/python3'

const engine = (name: string, warm: NonNullable<Engine['warm']>): Engine => ({
  name,
  binary: ['python3'],
  version: ['--version'],
  argv: (_: Job, args: readonly string[]) => args,
  warm,
})

type Quality = 'size' | 'grown' | 'seconds' | 'jobs' | 'memory'

/**
 * Speaks the warm protocol, holds `size` MiB, `grown` more from its job on, and takes `seconds` to boot. Tells its
 * state.
 */
export const makeEngine = (
  name: string,
  { size = 1, grown = 0, seconds = 0, jobs = 1, memory }: Partial<Record<Quality, number>> = {},
): Engine => {
  const script = `
import os, sys, time
began = time.time()
block = bytearray(os.urandom(1024)) * 1024 * ${size}
time.sleep(${seconds})
print('ready', flush=True)
served = 0
for line in sys.stdin:
    served += 1
    more = bytearray(os.urandom(1024)) * 1024 * ${grown}
    print(began, served, flush=True)
    print('{"done":true}', flush=True)
`
  return engine(name, { argv: ['-u', '-c', script], jobs, ...(memory && { memory }) })
}

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
export const makeServer = (jobs = 3, { name = 'warmed', boot = '' } = {}): Engine =>
  engine(name, { argv: ['-u', '-c', server.replace('BOOT', boot)], jobs })

/** Runs statements in a sandbox by an engine of `makeServer`. Resolves to what they print. */
export const runStatements = (box: Sandbox, engine: Engine, statements: string[], job: Partial<Job> = {}) =>
  box.run(engine, program, makeJob(job), statements, () => {})

/** Runs one job. Resolves to when its process began, and how many jobs it has served. */
export async function once(sandboxes: Sandboxes, owner: string, engine: Engine) {
  await using box = await sandboxes.open(owner, [engine])
  const [line = ''] = await runStatements(box, engine, [])
  const [began, served] = line.split(' ').map(Number)
  return { began: began! * 1000, served }
}

/** Keeps spares of these engines. */
export const warm = (sandboxes: Sandboxes, ...engines: Engine[]) =>
  sandboxes.warm(new Map(engines.map((engine) => [engine, { path: program, version: '3', features: '' }])))
/** Returns how many idle processes an engine has. */
export const countsOf = (sandboxes: Sandboxes, name: string) =>
  sandboxes.counts().find(({ engine }) => engine === name)!
/** Whether an engine has a spare that has booted. */
export const ready = (sandboxes: Sandboxes, name: string) => countsOf(sandboxes, name).ready > 0

/** Keeps spares of these engines, and waits until each has one. */
export async function boot(sandboxes: Sandboxes, ...engines: Engine[]): Promise<void> {
  warm(sandboxes, ...engines)
  for (const { name } of engines) await until(() => ready(sandboxes, name))
}
