import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startMachine } from '../../harness/machine.ts'

/** All plugins in the real sandbox, with the real catalogue and converter. */
export async function workshop() {
  const machine = await startMachine()
  const folder = await mkdtemp(join(tmpdir(), 'athanor-workshop-'))
  await chmod(folder, 0o711)
  let count = 0

  /** Converts, or optimises if `to` is `from`. Rejects with ConversionFailure. */
  async function convert(source: Buffer | string, from: string, to: string, given: Record<string, unknown> = {}) {
    const path = join(folder, `${++count}.${from}`)
    await writeFile(path, source)
    await chmod(path, 0o644)
    const intent = from === to ? 'transform' : 'convert'
    const pair = machine.catalogue.pairs.get(`${from}>${to}`)
    if (!pair) throw new Error(`no way from ${from} to ${to}`)
    await using made = await machine.converter.convert({
      ...{ owner: 'user_workshop', source: path, pair, intent, name: 'drawing', report: () => {} },
      options: machine.options.complete(pair.plugin, to, intent, given),
      size: (await stat(path)).size,
      signal: AbortSignal.timeout(300_000),
    })
    return { bytes: await readFile(made.path), paged: made.paged }
  }

  /** Returns the code and message of a failure, or what was made. */
  const failure = (...job: Parameters<typeof convert>): Promise<{ code: string; message: string }> =>
    convert(...job).then(
      ({ bytes }) => ({ code: `made ${bytes.length} bytes`, message: '' }),
      (error) => error,
    )

  return {
    convert,
    failure,
    catalogue: machine.catalogue,
    async [Symbol.asyncDispose]() {
      await machine[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Matches a message without file names and program output. */
export const human = /^(?!.*[/\\])(?!.*(undefined|Error\b))[A-Z].{10,}$/
