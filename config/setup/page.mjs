/** Builds the page from page/ and client/: bundled, named by a hash, compressed. The service reads it once. */
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

/**
 * Builds the page, unless that was done for these sources.
 *
 * @throws Error with the messages of the compiler.
 */
export async function buildPage(root) {
  const source = join(root, 'page')
  // In a container image, setup runs before the sources are copied.
  if (!existsSync(source)) return
  const [cache, place] = [join(root, 'node_modules/.cache'), join(root, 'node_modules/.cache/athanor-page')]
  const stamp = digestOf(
    [import.meta.filename, join(root, 'node_modules/.package-lock.json')],
    [source, join(root, 'client')],
  )
  const made = join(place, 'made-of')
  if (existsSync(made) && readFileSync(made, 'utf8') === stamp) return
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'page-'))
  try {
    await bundle(source, folder)
    writeFileSync(join(folder, 'made-of'), stamp)
    // A service that starts meanwhile reads either the old page or the new one, never a mixture.
    rmSync(place, { recursive: true, force: true })
    renameSync(folder, place)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function bundle(source, folder) {
  const { build, formatMessages } = await import('esbuild')
  const result = await build({
    entryPoints: [join(source, 'main.tsx')],
    outdir: folder,
    ...{ bundle: true, minify: true, splitting: true, format: 'esm', target: 'es2022', metafile: true },
    ...{ jsx: 'automatic', jsxImportSource: 'preact', charset: 'utf8', legalComments: 'none' },
    ...{ entryNames: '[name]-[hash]', chunkNames: '[name]-[hash]', logLevel: 'silent' },
  }).catch(async ({ errors = [], message }) => {
    const lines = await formatMessages(errors, { kind: 'error' })
    throw new Error(`the page could not be built:\n${lines.join('\n') || message}`)
  })
  const [[script, { cssBundle }]] = Object.entries(result.metafile.outputs).filter(([, { entryPoint }]) =>
    entryPoint?.endsWith('main.tsx'),
  )
  const mark = readFileSync(join(source, 'mark.svg'))
  const icon = `mark-${createHash('sha256').update(mark).digest('hex').slice(0, 8)}.svg`
  writeFileSync(join(folder, icon), mark)
  const names = { script: basename(script), style: basename(cssBundle), icon }
  const html = readFileSync(join(source, 'index.html'), 'utf8')
  // The service serves these files under the name of the folder.
  const fill = (_, key) => (names[key] ? `page/${names[key]}` : `{{${key}}}`)
  for (const file of readdirSync(folder)) {
    const bytes = readFileSync(join(folder, file))
    writeFileSync(
      join(folder, `${file}.br`),
      brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
    )
    writeFileSync(join(folder, `${file}.gz`), gzipSync(bytes, { level: 9 }))
  }
  writeFileSync(join(folder, 'index.html'), html.replace(/\{\{(\w+)\}\}/g, fill))
}

function digestOf(files, folders) {
  const inside = folders.flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }))
  const all = [...files, ...inside.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))]
  const hash = createHash('sha256')
  for (const path of all.sort()) hash.update(path).update(readFileSync(path))
  return hash.digest('hex')
}
