/** Builds what browsers load: bundled, named by a hash, compressed, and built again only when its sources change. */
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, join, relative } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

/**
 * Fills `node_modules/.cache/<name>` with `make(folder)`, unless that was done for the same sources.
 *
 * @param sources Absolute paths of the files and folders that the result depends on; missing ones are skipped.
 * @throws Whatever `make` throws; the earlier result stays.
 */
export async function buildOnce(root, name, sources, make) {
  const cache = join(root, 'node_modules/.cache')
  const place = join(root, 'node_modules/.cache', name)
  const stamp = digestOf(root, [join(root, 'node_modules/.package-lock.json'), ...sources].filter(existsSync))
  const made = join(place, 'made-of')
  if (existsSync(made) && readFileSync(made, 'utf8') === stamp) return
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, `${name}-`))
  try {
    await make(folder)
    writeFileSync(join(folder, 'made-of'), stamp)
    // Root may build what another user serves.
    chmodSync(folder, 0o755)
    // A service that starts meanwhile reads the old files, the new ones or, for a moment, none, but never a mixture.
    rmSync(place, { recursive: true, force: true })
    renameSync(folder, place)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Bundles scripts and style sheets into a folder, with a compressed copy of each file.
 *
 * @param entries Absolute paths by name.
 * @param settings More settings of esbuild.
 * @returns For each entry its `script`, its `style`, and the parts `shared` with lazily loaded scripts: file names,
 *   undefined if there is none.
 * @throws Error with the messages of the compiler, starting with `the <what> could not be built`.
 */
export async function bundle(what, entries, folder, settings = {}) {
  const { build, formatMessages } = await import('esbuild')
  const result = await build({
    entryPoints: Object.entries(entries).map(([out, path]) => ({ in: path, out })),
    outdir: folder,
    bundle: true,
    minify: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    metafile: true,
    jsx: 'transform',
    jsxFactory: 'h',
    jsxFragment: 'Fragment',
    tsconfigRaw: {},
    charset: 'utf8',
    legalComments: 'none',
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    logLevel: 'silent',
    loader: { '.svg': 'dataurl' },
    ...settings,
  }).catch(async ({ errors = [], message }) => {
    const lines = await formatMessages(errors, { kind: 'error' })
    throw new Error(`the ${what} could not be built:\n${lines.join('\n') || message}`)
  })
  /** The parts that a script imports at once. The browser learns of them only when it has read the script. */
  const sharedBy = (output) =>
    result.metafile.outputs[output].imports
      .filter(({ kind }) => kind === 'import-statement')
      .map(({ path }) => basename(path))
  const outputs = Object.entries(result.metafile.outputs).filter(([, { entryPoint }]) => entryPoint)
  const names = Object.entries(entries).map(([name, path]) => {
    const [output, { cssBundle }] = outputs.find(([, { entryPoint }]) =>
      path.endsWith(entryPoint.replace(/^(\.\.\/)+/, '')),
    )
    return [
      name,
      output.endsWith('.css')
        ? { style: basename(output) }
        : { script: basename(output), style: cssBundle && basename(cssBundle), shared: sharedBy(output) },
    ]
  })
  return Object.fromEntries(names)
}

/** Copies a file into a folder, with a hash in its name. Returns the new name. @param bytes Its content. */
export function hashed(path, folder, bytes = readFileSync(path)) {
  const name = basename(path).replace('.', `-${createHash('sha256').update(bytes).digest('hex').slice(0, 8)}.`)
  writeFileSync(join(folder, name), bytes)
  return name
}

/** Adds a copy by Brotli and one by gzip of each file in a folder. */
export function compressAll(folder) {
  for (const file of readdirSync(folder)) {
    const bytes = readFileSync(join(folder, file))
    const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
    writeFileSync(join(folder, `${file}.br`), brotliCompressSync(bytes, { params }))
    writeFileSync(join(folder, `${file}.gz`), gzipSync(bytes, { level: 9 }))
  }
}

/** Replaces `{{key}}` by its value. Keys without a value stay: the service fills them. */
export const fill = (template, values) => template.replace(/\{\{(\w+)\}\}/g, (all, key) => values[key] ?? all)

/** Without the path of the checkout, which tests see elsewhere. */
function digestOf(root, sources) {
  const hash = createHash('sha256')
  for (const path of sources.flatMap(filesOf).sort()) hash.update(relative(root, path)).update(readFileSync(path))
  return hash.digest('hex')
}

function filesOf(path) {
  const entries = () => readdirSync(path, { recursive: true, withFileTypes: true })
  if (!statSync(path).isDirectory()) return [path]
  return entries().flatMap((entry) => (entry.isFile() ? [join(entry.parentPath, entry.name)] : []))
}
