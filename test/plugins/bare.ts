/**
 * Conversions by the plugins, routes and programs of the service, without its walls: our own Node programs run in this
 * process, others start without a sandbox. So most take a tenth of the time. `sandboxed.test.ts` proves the walls.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Test } from 'tap'
import { bundles } from '../../engines/node/bundled.ts'
import { createCatalogue } from '../../kernel/catalogue/catalogue.ts'
import { enginesOf, isDirect, needsOf } from '../../kernel/catalogue/manifest/route.ts'
import { createOptionsValidator } from '../../kernel/catalogue/options.ts'
import type { Engine, Job } from '../../kernel/contract.ts'
import { createRecognise, createVerify } from '../../kernel/detection/recognise.ts'
import { createConverter } from '../../kernel/jobs/converter.ts'
import { flatten } from '../../kernel/kit.ts'
import { failureOf, refusal } from '../../kernel/sandbox/process/reason.ts'
import recognisers from '../../plugins/formats/index.ts'
import { pluginNamed } from '../fixtures/plugin.ts'
import { folderOf } from '../harness/folder.ts'
import { runInside } from '../harness/inside.ts'
import { openFolder, type Run } from '../harness/plain-sandbox.ts'
import { type Bench, benchOf } from '../harness/studio.ts'

/** Plugins that operators open, with formats that only they recognise. */
const extra = ['subtitle', 'font']
const categories = ['archive', 'audio', 'cad', 'document', 'ebook', 'image', 'vector', 'video', ...extra]

/**
 * @param names The plugins whose routes there are.
 * @param change Alters the arguments of each run of an engine.
 */
export async function bare(
  t: Test,
  names: readonly string[],
  change: (engine: string, args: string[]) => string[] = (_, args) => args,
): Promise<Bench> {
  const folder = await folderOf(t)
  const all = await Promise.all(categories.map(pluginNamed))
  const plugins = all.filter(({ category }) => names.includes(category))
  const engines = [...enginesOf(plugins)]
  const needs = plugins.flatMap(({ routes }) => routes.filter(isDirect).flatMap(needsOf))
  const features = needs.flatMap((need) => need.features).join(' ')
  const probes = new Map(
    engines.map((engine) => {
      const path = pathOf(engine)
      return [engine, path ? { path, version: '1', features } : { missing: `${engine.name} is not installed` }] as const
    }),
  )
  const catalogue = createCatalogue(
    all.map((plugin) => ({
      plugin,
      state: plugins.includes(plugin) ? 'open' : 'facts',
      outside: extra.includes(plugin.category),
    })),
    probes,
  )
  const options = createOptionsValidator(plugins)
  const verify = createVerify(createRecognise({ catalogue, recognisers }), catalogue)
  const run = running(t, folder, change)
  const open = async () => openFolder(await made(folder, 'job'), run)
  const converter = createConverter({ catalogue, probes, sandboxes: { open }, options, verify })

  return benchOf({ catalogue, converter, options }, folder)
}

let count = 0

/** Makes a new folder below another. */
async function made(folder: string, name: string): Promise<string> {
  const path = join(folder, `${name}-${++count}`)
  await mkdir(path)
  return path
}

function pathOf({ binary }: Engine): string | undefined {
  const places = binary.flatMap((name) => (isAbsolute(name) ? [name] : [`/usr/bin/${name}`, `/usr/local/bin/${name}`]))
  return places.find((path) => existsSync(path))
}

/** Runs engines: our own Node programs here, warm ones in one process each, others in a process for each run. */
function running(t: Test, folder: string, change: (engine: string, args: string[]) => string[]): Run {
  const warm = new Map<Engine, ReturnType<typeof startWarm>>()
  t.teardown(() => Promise.all([...warm.values()].map(({ end }) => end())))
  return async (engine, program, job, args, report) => {
    const argv = change(engine.name, flatten(engine.argv(job, args)))
    const progress = engine.progress?.()
    const read = (line: string) => {
      const fraction = progress?.(line)
      if (fraction !== undefined) report(fraction)
    }
    if (engine.warm) {
      const process = warm.get(engine) ?? startWarm(engine, program, join(folder, engine.name))
      warm.set(engine, process)
      const { lines, error } = await process.ask(argv)
      lines.forEach(read)
      if (error) throw refusal(error, job)
      return lines
    }
    const own = program === process.execPath ? argv.findIndex((word) => /\.m?ts$|\.mjs$/.test(word)) : -1
    const source = bundles.find(({ place }) => place === argv[own])?.file ?? argv[own]
    const { code, stdout, stderr } = source
      ? await runInside(source, argv.slice(own + 1))
      : await runOnce(program, argv, engine, job)
    const lines = `${stdout}${stderr}`.split(/[\r\n]+/).filter(Boolean)
    lines.forEach(read)
    if (code !== 0) throw failureOf(engine, job, { code }, lines)
    return lines.slice(-200)
  }
}

const environment = ({ sandbox }: Engine, home: string) => ({
  PATH: '/usr/bin',
  LANG: 'C.UTF-8',
  TZ: 'UTC',
  HOME: home,
  TMPDIR: home,
  ...sandbox?.env,
})

async function runOnce(program: string, argv: string[], engine: Engine, { scratch, signal }: Job) {
  const env = environment(engine, scratch)
  const child = spawn(program, argv, { cwd: scratch, env, stdio: ['ignore', 'pipe', 'pipe'], signal })
  let stdout = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (stdout += text))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code: code ?? 137, stdout, stderr: '' }
}

/** Starts a process that serves one job after the other. */
function startWarm(engine: Engine, program: string, home: string) {
  mkdirSync(home)
  const child: ChildProcess = spawn(program, flatten(engine.warm!.argv), {
    cwd: home,
    env: environment(engine, home),
    stdio: ['pipe', 'pipe', 'ignore'],
    detached: true,
  })
  const answers = createInterface({ input: child.stdout! })[Symbol.asyncIterator]()
  let turn: Promise<unknown> = answers.next()

  async function answer(argv: readonly string[]) {
    child.stdin!.write(`${JSON.stringify(argv)}\n`)
    const lines: string[] = []
    for (;;) {
      const { value, done } = await answers.next()
      if (done) throw new Error(`${engine.name} ended`)
      if (/^\{"done": ?true\}$/.test(value)) return { lines, error: undefined }
      if (/^\{"error": ?\{/.test(value)) return { lines, error: JSON.parse(value).error }
      lines.push(value)
    }
  }
  return {
    ask(argv: readonly string[]): ReturnType<typeof answer> {
      const asked = turn.then(() => answer(argv))
      turn = asked.catch(() => {})
      return asked
    },
    async end() {
      const ended = once(child, 'exit')
      if (child.exitCode !== null || child.signalCode !== null) return
      // With the programs that it started.
      process.kill(-child.pid!, 'SIGKILL')
      await ended
    },
  }
}
