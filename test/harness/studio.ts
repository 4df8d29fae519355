import { chmod, copyFile, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../config/config.ts'
import type { ConversionTask } from '../../kernel/jobs/converter.ts'
import { newFolder, removeFolder } from './folder.ts'
import { type Machine, startMachine } from './machine.ts'

/** The result of a conversion. Its file exists as long as the studio. */
export interface Made {
  path: string
  bytes: Buffer
  /** Whether it is a ZIP of several files. */
  paged: boolean
  /** Progress reports, from 0 to 1. */
  progress: number[]
}

/** What a client does not choose by options. */
export interface Manner {
  /** The source's name without its extension. */
  name?: string
  signal?: AbortSignal
  onRun?: ConversionTask['onRun']
}

/** How a conversion failed, or that it did not. */
export interface Failure {
  code: string
  message: string
}

/** Converts files by the real catalogue, in the real sandbox, without accounts, queue and HTTP. */
export interface Studio extends AsyncDisposable {
  machine: Machine
  /** Holds the files below. Engines can enter it. */
  folder: string
  /** Writes a file that engines can read. Returns its path. */
  file(name: string, content: string | Uint8Array): Promise<string>
  /** Whether this machine converts a pair, such as `png>webp`. */
  can(pair: string): boolean
  /**
   * Converts a path or bytes. `png>png` optimises.
   *
   * @param pair Source and target format, such as `png>webp`.
   * @throws ConversionFailure
   */
  convert(source: string | Uint8Array, pair: string, options?: object, manner?: Manner): Promise<Made>
  /** Converts and resolves to the failure. Its code is `made … bytes` if there is none. */
  failure(source: string | Uint8Array, pair: string, options?: object, manner?: Manner): Promise<Failure>
}

/** @param plugins Additional plugins by path, with their settings. */
export async function studio(plugins: Config['plugins'] = {}): Promise<Studio> {
  const [machine, folder] = await Promise.all([startMachine(plugins), newFolder()])
  let count = 0

  async function file(name: string, content: string | Uint8Array): Promise<string> {
    const path = join(folder, `${count++}-${name}`)
    await writeFile(path, content)
    await chmod(path, 0o644)
    return path
  }

  async function convert(source: string | Uint8Array, key: string, given = {}, manner: Manner = {}): Promise<Made> {
    const pair = machine.catalogue.pairs.get(key)
    if (!pair) throw new Error(`This machine does not convert ${key}`)
    const { from, to, plugin } = pair
    const path = typeof source === 'string' ? source : await file(`source.${from}`, source)
    const intent = from === to ? 'transform' : 'convert'
    machine.options.check(plugin, to, { ...given })
    const progress: number[] = []
    await using made = await machine.converter.convert({
      owner: 'user_studio',
      source: path,
      pair,
      intent,
      name: 'source',
      size: (await stat(path)).size,
      options: machine.options.complete(plugin, to, intent, { ...given }),
      report: (fraction) => progress.push(fraction),
      signal: AbortSignal.timeout(300_000),
      ...manner,
    })
    const copy = join(folder, `${count++}-made.${made.paged ? 'zip' : to}`)
    await copyFile(made.path, copy)
    return { path: copy, bytes: await readFile(copy), paged: made.paged, progress }
  }

  return {
    machine,
    folder,
    file,
    convert,
    can: (pair) => machine.catalogue.pairs.has(pair),
    failure: (...job) =>
      convert(...job).then(
        ({ bytes }) => ({ code: `made ${bytes.length} bytes`, message: '' }),
        ({ code, message }) => ({ code, message }),
      ),
    async [Symbol.asyncDispose]() {
      await machine[Symbol.asyncDispose]()
      await removeFolder(folder)
    },
  }
}
