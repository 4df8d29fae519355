/**
 * Puts each program that `program` declares as `bundled` into one file with all its modules: Node then starts it with a
 * third less CPU time. Setup runs this before `compile.ts`.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { build } from 'esbuild'
import { bundles, digestOf, root } from './bundled.ts'
import { declarePrograms } from './declare-programs.ts'

await declarePrograms()

/** Milliseconds for a program without a job. */
const TIMEOUT_MS = 20_000

for (const { file, outside, place } of bundles) {
  // A service may run the last one meanwhile.
  const fresh = place.replace(/\.mjs$/, '.new.mjs')
  mkdirSync(dirname(place), { recursive: true })
  const { metafile } = await build({
    entryPoints: [file],
    outfile: fresh,
    absWorkingDir: root,
    metafile: true,
    logLevel: 'silent',
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    external: [...outside, '*.node'],
    // CommonJS modules in the bundle call it for modules of Node.
    banner: { js: "const require = process.getBuiltinModule('module').createRequire(import.meta.url);" },
  })
  if (spawnSync(process.execPath, [fresh], { stdio: 'ignore', timeout: TIMEOUT_MS }).status !== 0) {
    // The program runs from its sources.
    rmSync(fresh)
    continue
  }
  renameSync(fresh, place)
  // Without files outside of the checkout, and without Node's own modules.
  const sources = Object.keys(metafile.inputs).filter((path) => !isAbsolute(path) && !/^(\.\.|node:)/.test(path))
  // Of packages, the version is enough.
  const own = sources.filter((path) => !path.startsWith('node_modules/'))
  const packages = new Set(sources.filter((path) => !own.includes(path)).map(manifestOf))
  const madeOf = [...own, ...packages].sort()
  writeFileSync(`${place}.json`, JSON.stringify({ madeOf, digest: digestOf(madeOf) }))
}

/** Path of the package.json of a module in `node_modules`. */
function manifestOf(path: string): string {
  const [folder, name, inner] = path.split('/') as [string, string, string]
  return join(folder, name, ...(name.startsWith('@') ? [inner] : []), 'package.json')
}
