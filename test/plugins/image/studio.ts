import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig } from '../../../config/load.ts'
import { createCatalogue } from '../../../kernel/catalogue/catalogue.ts'
import { enginesOfRoute } from '../../../kernel/catalogue/manifest/route.ts'
import { createOptionsValidator } from '../../../kernel/catalogue/options.ts'
import { probeEngines } from '../../../kernel/catalogue/probe.ts'
import type { Engine } from '../../../kernel/contract.ts'
import { createConverter } from '../../../kernel/conversions/converter.ts'
import { createLog } from '../../../kernel/log.ts'
import { createSandboxes } from '../../../kernel/sandbox/sandbox.ts'
import image from '../../../plugins/image/index.ts'
import type { ImageOptions } from '../../../plugins/image/options.ts'
import vector from '../../../plugins/vector/index.ts'
import video from '../../../plugins/video/index.ts'
import { pluginNamed } from '../../fixtures/plugin.ts'

const document = await pluginNamed('document')

/** A result: the bytes of the file, and whether it is a zip of pages. */
export interface Result {
  bytes: Buffer
  paged: boolean
}

/** The image plugin in the real sandbox, with the real catalogue and converter. */
export async function studio() {
  const dataDir = await mkdtemp(join(tmpdir(), 'studio-'))
  await chmod(dataDir, 0o711)
  const config = loadConfig({ env: { DATA_DIR: dataDir }, argv: [] })
  const engines = new Set<Engine>(image.routes.flatMap((route) => enginesOfRoute(route)))
  const sandboxes = await createSandboxes(config, createLog('error'))
  const probes = await probeEngines(engines, dataDir, sandboxes.ask)
  const state = 'open' as const
  const catalogue = createCatalogue(
    [
      { plugin: image, state },
      { plugin: vector, state: 'facts' },
      { plugin: document, state: 'facts' },
      { plugin: video, state: 'facts' },
    ],
    probes,
  )
  sandboxes.warm(probes)
  const options = createOptionsValidator([image])
  const converter = createConverter({ catalogue, probes, sandboxes, options, verify: async () => true })

  /** Converts, or optimises if `to` is `from`. Rejects with ConversionFailure. */
  async function convert(
    source: Buffer | string,
    from: string,
    to: string,
    given: ImageOptions = {},
    name = 'picture',
    seconds = 300,
  ): Promise<Result> {
    const path = join(dataDir, `source-${Math.random()}.${from}`)
    await writeFile(path, typeof source === 'string' ? await readFile(source) : source)
    await chmod(path, 0o644)
    const intent = from === to ? 'transform' : 'convert'
    const pair = catalogue.pairs.get(`${from}>${to}`)
    if (!pair) throw new Error(`no way from ${from} to ${to}`)
    await using made = await converter.convert({
      owner: 'user_studio',
      source: path,
      pair,
      intent,
      options: options.complete(image, to, intent, { ...given }),
      name,
      size: (await stat(path)).size,
      signal: AbortSignal.timeout(seconds * 1000),
      report: () => {},
    })
    return { bytes: await readFile(made.path), paged: made.paged }
  }

  return {
    convert,
    catalogue,
    probes,
    /** Whether this machine can convert a pair. */
    can: (from: string, to: string) => catalogue.pairs.has(`${from}>${to}`),
    async [Symbol.asyncDispose]() {
      await sandboxes.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

const corpus = process.env.ATHANOR_CORPUS ?? join(import.meta.dirname, '../../../../shared/corpus')

/** Returns the path of a real file of the corpus, if it exists. */
export const real = (name: string) => join(corpus, 'image-vector-cad', name)
