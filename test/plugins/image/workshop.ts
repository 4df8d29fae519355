import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Args, Engine, Facts, Job, Run, Step } from '../../../kernel/contract.ts'
import { runSteps } from '../../../kernel/conversions/steps.ts'
import { fail } from '../../../kernel/kit.ts'
import type { ImageOptions } from '../../../plugins/image/options.ts'

/** Drops falsy entries except 0, and flattens nested lists, as the kernel does before it starts a program. */
export const flat = (args: Args): string[] =>
  args.flatMap((arg) => (Array.isArray(arg) ? flat(arg) : arg || arg === 0 ? [String(arg)] : []))

/** Returns the first of an engine's executables that exists on this machine. */
export const executable = (engine: Engine) =>
  engine.binary
    .flatMap((name) => (name.startsWith('/') ? [name] : [`/usr/bin/${name}`]))
    .find((file) => existsSync(file))

/** A folder for one job. `run` runs engines in it that can see only what their profile allows. */
export function workshop(options: ImageOptions = {}) {
  const root = mkdtempSync(join(tmpdir(), 'codecs-'))
  for (const folder of ['in', 'out', 'scratch']) mkdirSync(join(root, folder), { mode: 0o777 })

  const job = (from: string, to: string): Job<ImageOptions> => ({
    ...{ from, to, intent: 'convert', name: 'picture', size: 0, options, signal: new AbortController().signal },
    ...{ input: `/in/file.${from}`, output: `/out/file.${to}`, pages: '/out/pages.zip', scratch: '/scratch' },
  })

  /** Converts a path inside the sandbox to the host's path. */
  const host = (path: string) => join(root, path)

  const runner =
    (current: Job): Run =>
    async (engine, args, files) => {
      const file = executable(engine)
      if (!file) throw new Error(`${engine.name} is not installed`)
      const argv = flat(engine.argv({ ...current, ...files }, flat(args)))
      const { status, stdout, stderr, signal } = spawnSync('bwrap', [...cage(engine, root), file, ...argv], {
        env: {},
        encoding: 'latin1',
        maxBuffer: 2 ** 26,
      })
      const lines = (stdout + stderr).split('\n').filter(Boolean).slice(-200)
      if (status === 0) return lines
      const reason = engine.reason?.(lines)
      const told = typeof reason === 'string' ? { code: 'CONVERSION_ERROR', message: reason } : reason
      const printed = `${engine.name} ${signal ?? status}: ${lines.join('\n')}`
      throw told ? Object.assign(new Error(printed), told) : fail('CONVERSION_ERROR', printed)
    }

  /** Runs steps between others: `known` comes before them, and a step that writes the result after them. */
  async function follow(current: Job, steps: readonly Step[], known: Step[] = []): Promise<void> {
    const run = runner(current)
    await runSteps([...known, ...steps, { engine: nothing }], current, {
      plugin: 'image',
      makeFolder: async (name) => void mkdirSync(host(`${current.scratch}/${name}`), { mode: 0o777, recursive: true }),
      run: async (_, engine, args, files) => (engine === nothing ? [] : run(engine, args, files)),
    })
  }

  return { job, host, runner, follow, root, [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }) }
}

/** Replaces the steps before and after the tested ones. */
const nothing: Engine = { name: 'nothing', binary: [], version: [], argv: () => [] }

/** A step that reports a single page, which already exists as `pages/001.png`. */
export const page = (facts: Facts['pages'][number]): Step => ({
  engine: nothing,
  facts: () => ({ pages: [facts] }),
  output: 'pages/%03d.png',
})

/** Arguments of bubblewrap: no network, no capabilities, only the system's programs and the folders of the job. */
function cage({ sandbox = {} }: Engine, root: string): string[] {
  const bytes = sandbox.addressSpace ?? 4 * 2 ** 30
  return [
    ...['--unshare-all', '--die-with-parent', '--uid', '1000', '--gid', '1000', '--cap-drop', 'ALL', '--clearenv'],
    ...['--setenv', 'PATH', '/usr/bin', '--setenv', 'HOME', '/tmp/home', '--setenv', 'TMPDIR', '/tmp'],
    ...['--setenv', 'LANG', 'C.UTF-8', '--setenv', 'TZ', 'UTC'],
    ...Object.entries(sandbox.env ?? {}).flatMap(([name, value]) => ['--setenv', name, value]),
    ...['--ro-bind', '/usr', '/usr', '--symlink', 'usr/bin', '/bin', '--symlink', 'usr/lib', '/lib'],
    ...['--symlink', 'usr/lib64', '/lib64', '--ro-bind-try', '/etc/ld.so.cache', '/etc/ld.so.cache'],
    ...['/etc/fonts', '/var/cache/fontconfig', ...(sandbox.binds ?? [])].flatMap((at) => ['--ro-bind-try', at, at]),
    ...(sandbox.mounts ?? []).flatMap(([from, to]) => ['--ro-bind-try', from, to]),
    ...['--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp', '--dir', '/tmp/home'],
    ...['in', 'out', 'scratch'].flatMap((at) => [at === 'in' ? '--ro-bind' : '--bind', join(root, at), `/${at}`]),
    ...['--chdir', '/scratch', '--', 'prlimit', `--nproc=${sandbox.processes ?? 64}`, '--core=0'],
    ...(bytes > 0 ? [`--as=${bytes}`] : []),
  ]
}

/** Runs a program outside the sandbox, to make a sample or to check a result. */
export const tool = (name: string, ...args: string[]) =>
  execFileSync(name, args, { maxBuffer: 2 ** 28, stdio: ['ignore', 'pipe', 'pipe'] })
