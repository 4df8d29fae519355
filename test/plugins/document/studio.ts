import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DocumentOptions } from '../../../plugins/document/options.ts'
import { program } from '../../fixtures/program.ts'
import { startMachine } from '../../harness/machine.ts'

/** A result on disk. */
export interface Result {
  path: string
  bytes: Buffer
  /** Whether it is a zip of several files. */
  paged: boolean
}

/** The real catalogue, converter and sandbox, and a folder that is removed with them. */
export async function studio() {
  const folder = await mkdtemp(join(tmpdir(), 'documents-'))
  await chmod(folder, 0o711)
  const machine = await startMachine()
  let count = 0

  /** Writes a file to convert. */
  async function file(name: string, content: string | Buffer): Promise<string> {
    const path = join(folder, `${count++}-${name}`)
    await writeFile(path, content)
    await chmod(path, 0o644)
    return path
  }

  /** Converts, or optimises if `to` is the source's extension. Rejects with ConversionFailure. */
  async function convert(source: string, to: string, options: DocumentOptions = {}): Promise<Result> {
    const from = /\.((?:jats\.)?\w+)$/.exec(source)![1]!
    const pair = machine.catalogue.pairs.get(`${from}>${to}`)
    if (!pair) throw new Error(`no way from ${from} to ${to}`)
    const intent = from === to ? 'transform' : 'convert'
    await using made = await machine.converter.convert({
      ...{ owner: 'user_documents', source, pair, intent, name: 'story', report: () => {} },
      options: machine.options.complete(pair.plugin, to, intent, { ...options }),
      size: (await stat(source)).size,
      signal: AbortSignal.timeout(300_000),
    })
    const bytes = await readFile(made.path)
    return { path: await file(`made.${made.paged ? 'zip' : to}`, bytes), bytes, paged: made.paged }
  }

  return {
    ...{ machine, folder, file, convert },
    /** Returns the code of a conversion's failure. */
    code: (source: string, to: string, options?: DocumentOptions) =>
      convert(source, to, options).then(
        ({ bytes }) => `made ${bytes.length} bytes`,
        (error: { code?: string }) => error.code ?? String(error),
      ),
    async [Symbol.asyncDispose]() {
      await machine[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Returns the metadata that exiftool finds, by tag, without properties of the file itself. */
export async function facts(path: string): Promise<Record<string, string>> {
  const [found] = JSON.parse((await program('exiftool', '-j', '-a', '-api', 'struct=1', path)).toString())
  return found
}
