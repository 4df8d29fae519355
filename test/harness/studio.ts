import { chmod, copyFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../config/config.ts'
import type { ConversionTask } from '../../kernel/jobs/converter.ts'
import { newFolder, removeFolder } from './folder.ts'
import { convertFile, type Machine, startMachine } from './machine.ts'

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

/** Converts files in a folder of its own. */
export interface Bench {
  /** Holds the files below. Engines can enter it. */
  folder: string
  /** Writes a file that engines can read. Returns its path. */
  file(name: string, content: string | Uint8Array): Promise<string>
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

/** Converts files by the real catalogue, in the real sandbox, without accounts, queue and HTTP. */
export interface Studio extends Bench, AsyncDisposable {
  machine: Machine
  /** Whether this machine converts a pair, such as `png>webp`. */
  can(pair: string): boolean
}

/** Converts in a folder by the parts of a machine. */
export function benchOf(machine: Pick<Machine, 'catalogue' | 'converter' | 'options'>, folder: string): Bench {
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
    const path = typeof source === 'string' ? source : await file(`source.${pair.from}`, source)
    machine.options.check(pair.plugin, pair.to, { ...given })
    const progress: number[] = []
    const report = (fraction: number) => void progress.push(fraction)
    await using made = await convertFile(machine, path, pair, given, { report, ...manner })
    const copy = join(folder, `${count++}-made.${made.paged ? 'zip' : pair.to}`)
    await copyFile(made.path, copy)
    return { path: copy, bytes: await readFile(copy), paged: made.paged, progress }
  }

  return {
    folder,
    file,
    convert,
    failure: (...job) =>
      convert(...job).then(
        ({ bytes }) => ({ code: `made ${bytes.length} bytes`, message: '' }),
        ({ code, message }) => ({ code, message }),
      ),
  }
}

/** @param plugins Additional plugins by path, with their settings. */
export async function studio(plugins: Config['plugins'] = {}): Promise<Studio> {
  const [machine, folder] = await Promise.all([startMachine(plugins), newFolder()])
  return {
    ...benchOf(machine, folder),
    machine,
    can: (pair) => machine.catalogue.pairs.has(pair),
    async [Symbol.asyncDispose]() {
      await machine[Symbol.asyncDispose]()
      await removeFolder(folder)
    },
  }
}
