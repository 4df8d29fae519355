import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Test } from 'tap'
import type { Spec } from '../../../engines/programs/archive/spec.ts'
import { stepsOf } from '../../../kernel/catalogue/manifest/route.ts'
import { runSteps } from '../../../kernel/jobs/steps.ts'
import { fail, isRefusal } from '../../../kernel/kit.ts'
import plugin from '../../../plugins/archive/index.ts'
import type { ArchiveOptions } from '../../../plugins/archive/options.ts'
import { folderOf } from '../../harness/folder.ts'
import { routesOf } from '../routes.ts'

/** How a conversion failed, or that it did not. */
type Failure = { code: string; message: string }

/** Limits and programs that replace those of the plugin. */
interface Manner {
  limits?: Partial<Spec['rules']['limits']>
  /** Receives the name of each engine. */
  told?: (engine: string) => void
}

/**
 * Packs archives by the plugin's routes and its own programs, which start the real ones, without sandbox and converter:
 * so a conversion takes a tenth of the time.
 */
export async function packing(t: Test) {
  const folder = await folderOf(t)
  const programs: Readonly<Record<string, (task: object) => Promise<void>>> = {
    archive: starting(t, join(import.meta.dirname, 'packer.ts')),
  }
  let count = 0

  async function convert(
    source: Buffer | string,
    pair: string,
    options: ArchiveOptions = {},
    { limits = {}, told = () => {} }: Manner = {},
  ): Promise<Buffer> {
    const [from = '', to = ''] = pair.split('>')
    const input = typeof source === 'string' ? source : join(folder, `${count++}.${from}`)
    if (typeof source !== 'string') await writeFile(input, source)
    const { size } = await stat(input)
    let refusal: unknown = new Error(`no route for ${pair}`)
    for (const [index, route] of routesOf(plugin, pair).entries()) {
      const scratch = join(folder, `${count++}-scratch`)
      const output = join(folder, `${count++}-made.${to}`)
      await mkdir(scratch)
      const job = {
        from,
        to,
        options: { ...options },
        intent: from === to ? 'transform' : 'convert',
        name: 'picture',
      } as const
      const places = { input, output, pages: `${output}.zip`, scratch, size, signal: AbortSignal.timeout(600_000) }
      try {
        await runSteps(
          stepsOf(route),
          { ...job, ...places },
          {
            plugin: 'archive',
            makeFolder: async () => {},
            async run(_, { name }, args) {
              told(name)
              const task = JSON.parse(String(args[0])) as Spec
              Object.assign(task.rules.limits, limits)
              await programs[name]!(task)
              return []
            },
          },
        )
        return await readFile(output)
      } catch (error) {
        if (index === 0) refusal = error
        if (!isRefusal(error)) throw error
      }
    }
    throw refusal
  }

  return {
    convert,
    failure: (...given: Parameters<typeof convert>): Promise<Failure> =>
      convert(...given).then(
        (bytes) => ({ code: `made ${bytes.length} bytes`, message: '' }),
        ({ code, message }) => ({ code, message }),
      ),
  }
}

/** Starts a program that serves one task after the other. It starts with the first one, and ends with the test. */
function starting(t: Test, path: string) {
  let child: ChildProcess | undefined
  let lines: AsyncIterator<string>
  t.teardown(async () => {
    if (!child) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  })
  return async (task: object): Promise<void> => {
    if (!child) {
      child = spawn(process.execPath, [path], { stdio: ['pipe', 'pipe', 'ignore'], env: {} })
      lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]()
      await lines.next()
    }
    child.stdin!.write(`${JSON.stringify([JSON.stringify(task)])}\n`)
    for (;;) {
      const { progress, error } = JSON.parse((await lines.next()).value)
      if (error) throw fail(error.code, error.message)
      if (progress === undefined) return
    }
  }
}
