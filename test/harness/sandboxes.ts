import { chmod, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Test } from 'tap'
import type { Engine, Job } from '../../kernel/contract.ts'
import type { Groups } from '../../kernel/sandbox/limits/cgroup.ts'
import type { Sandbox } from '../../kernel/sandbox/sandbox.ts'
import { createSandboxes, type SandboxSettings } from '../../kernel/sandbox/sandboxes.ts'
import { folderOf } from './folder.ts'
import { commandOf } from './processes.ts'

export const MiB = 1024 ** 2

/** Programs of every Debian that attack the sandbox with a script, given as the argument. */
const scripted = (name: string, sandbox: Engine['sandbox'] = {}): Engine => ({
  name,
  binary: [name],
  version: ['--version'],
  argv: (_, args) => args,
  sandbox,
})
export const sh = scripted('sh')
export const python = scripted('python3')
export const pythonWithSockets = scripted('python3', { unixSockets: true })

/** Limits so small that they are exceeded at once. */
export const settings = (dataDir: string): SandboxSettings => ({
  dataDir,
  sandbox: 'bubblewrap',
  limits: { memory: 256 * MiB, disk: 64 * MiB, files: 500, freeDisk: 0 },
  warm: { memory: 512 * MiB, spares: 1, reuse: true, idle: 60_000 },
  timeouts: { light: 120_000, heavy: 120_000, stalled: 120_000 },
})

/** Log lines for tests to check. */
export interface Heard {
  warnings: unknown[]
}

/** Sandboxes in their own data folder, closed and removed with the test. */
export async function startSandboxes(
  t: Test,
  change: (settings: SandboxSettings) => SandboxSettings = (same) => same,
  groups?: Groups,
) {
  const dataDir = await folderOf(t)
  const heard: Heard = { warnings: [] }
  const log = { warn: (...line: unknown[]) => void heard.warnings.push(line), info() {} }
  const sandboxes = await createSandboxes(change(settings(dataDir)), log as never, groups)
  t.teardown(() => sandboxes.close())
  return { dataDir, sandboxes, heard }
}

export const makeJob = (change: Partial<Job> = {}): Job => ({
  from: 'png',
  to: 'txt',
  intent: 'convert',
  name: 'file',
  size: 1,
  options: {},
  input: '/in/file.png',
  output: '/out/file.txt',
  pages: '/out/pages.zip',
  scratch: '/scratch',
  signal: AbortSignal.timeout(120_000),
  ...change,
})

const ignore = () => {}

/** Runs a script and resolves to its output. */
export const runScript = (sandbox: Sandbox, engine: Engine, script: string, job: Partial<Job> = {}) =>
  sandbox.run(engine, `/usr/bin/${engine.name}`, makeJob(job), ['-c', script], ignore)

/** Writes a file for a sandbox to use as its source. */
export async function makeSource(dataDir: string, content: string | Buffer, name = 'source'): Promise<string> {
  const path = join(dataDir, name)
  await writeFile(path, content)
  await chmod(path, 0o644)
  return path
}

/** Host PIDs of the processes with all these words in their command line. */
export async function processesWith(...words: string[]): Promise<number[]> {
  const all = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  return all.filter((pid) => words.every((word) => commandOf(pid).includes(word)))
}
