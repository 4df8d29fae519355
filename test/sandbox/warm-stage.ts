import type { Engine, Job } from '../../kernel/contract.ts'
import type { Sandboxes } from '../../kernel/sandbox/sandbox.ts'
import { makeJob } from '../harness/sandboxes.ts'

const program = '/usr/bin/python3'

type Quality = 'size' | 'grown' | 'seconds' | 'jobs' | 'memory'

/** Speaks the warm protocol, holds `size` MiB, `grown` more from its job on, and takes `seconds` to boot. Tells its state. */
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
    print(began, os.nice(0), served, flush=True)
    print('{"done":true}', flush=True)
`
  const argv = (_: Job, args: readonly string[]) => args
  return {
    name,
    binary: ['python3'],
    version: ['--version'],
    argv,
    warm: { argv: ['-u', '-c', script], jobs, ...(memory && { memory }) },
  }
}

/** Runs one job. Resolves to when its process began, the nice value of that, and how many jobs it has served. */
export async function once(sandboxes: Sandboxes, owner: string, engine: Engine) {
  await using box = await sandboxes.open(owner, [engine])
  const [line = ''] = await box.run(engine, program, makeJob(), [], () => {})
  const [began, nice, served] = line.split(' ').map(Number)
  return { began: began! * 1000, nice, served }
}

/** Keeps spares of these engines. */
export const warm = (sandboxes: Sandboxes, ...engines: Engine[]) =>
  sandboxes.warm(new Map(engines.map((engine) => [engine, { path: program, version: '3', features: '' }])))
/** Returns how many idle processes an engine has. */
export const countsOf = (sandboxes: Sandboxes, name: string) =>
  sandboxes.counts().find(({ engine }) => engine === name)!
/** Whether an engine has a spare that has booted. */
export const ready = (sandboxes: Sandboxes, name: string) => countsOf(sandboxes, name).ready > 0
