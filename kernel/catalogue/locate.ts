import { existsSync, readFileSync, statSync } from 'node:fs'
import { createRequire, findPackageJSON } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { resolve as resolveModule } from 'import-meta-resolve'
import { StartError } from '../errors.ts'

/**
 * Finds the file of a plugin by its name in the configuration. A path names a file, or a folder with a `package.json`
 * or an index file. Any other name is an npm package, searched for from `base` upwards.
 *
 * @throws StartError that says what was found and what is missing.
 */
export function locate(name: string, base: string, bundled: readonly string[]): string {
  return /^\.{0,2}\//.test(name) ? locatePath(name, resolve(base, name)) : locatePackage(name, base, bundled)
}

function locatePath(name: string, path: string): string {
  if (!existsSync(path)) throw new StartError(`plugins.${name}: no such plugin: there is no file or folder ${path}`)
  if (!statSync(path).isDirectory()) return path
  const manifest = join(path, 'package.json')
  try {
    const { name: own, exports } = existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')) : {}
    // Node applies `exports` only if the package is resolved by its name.
    if (own && exports !== undefined) return resolvePackage(own, pathToFileURL(manifest))
    const typed = join(path, 'index.ts')
    return existsSync(typed) && !existsSync(manifest) ? typed : createRequire(manifest).resolve(path)
  } catch (cause) {
    const why = existsSync(manifest)
      ? `its package.json leads to no file; "exports" or "main" must name the plugin (${firstLine(cause)})`
      : 'it contains no package.json, index.js or index.ts'
    throw new StartError(`plugins.${name}: no such plugin: the folder ${path} exists, but ${why}`, { cause })
  }
}

function locatePackage(name: string, base: string, bundled: readonly string[]): string {
  const noop = pathToFileURL(join(base, 'noop.js'))
  try {
    return resolvePackage(name, noop)
  } catch (cause) {
    const manifest = findManifest(name, noop)
    const why = manifest
      ? `found the package in ${relative(base, dirname(manifest)) || '.'}, but its "exports" or "main" leads to no file (${firstLine(cause)})`
      : `no such plugin; bundled are ${bundled.join(', ')}; paths start with ./ or /; npm packages are installed in ${base}`
    throw new StartError(`plugins.${name}: ${why}`, { cause })
  }
}

/** Resolves a package as Node does for a module at `base`. @throws Error also if the resolved file does not exist. */
function resolvePackage(name: string, base: URL): string {
  const file = fileURLToPath(resolveModule(name, base.href))
  if (!existsSync(file)) throw new Error(`there is no ${file}`)
  return file
}

function findManifest(name: string, base: URL): string | undefined {
  try {
    return findPackageJSON(name, base)
  } catch {
    return undefined
  }
}

const firstLine = (cause: unknown) => (cause as Error).message.split('\n')[0]
