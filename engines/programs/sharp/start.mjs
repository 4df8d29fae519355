// Starts the worker with a cache of its compiled code, so that a start need not strip types and compile.
// Sandboxes only read that cache: asking for the version, as is done before the first of them, writes it.
import { chmodSync, existsSync, readdirSync, symlinkSync } from 'node:fs'
import { enableCompileCache, flushCompileCache, getCompileCacheDir } from 'node:module'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const cache = fileURLToPath(new URL('../../../node_modules/.cache/athanor-sharp', import.meta.url))
enableCompileCache(cache)
await import('./worker.ts')

const directory = getCompileCacheDir()
if (process.argv[2] === '--version' && directory) {
  try {
    flushCompileCache()
    // Node keeps a cache for each user and from others; the user inside of a sandbox has this number.
    for (const file of readdirSync(directory)) chmodSync(join(directory, file), 0o644)
    const alias = directory.replace(/\d+$/, '1000')
    if (!existsSync(alias)) symlinkSync(basename(directory), alias)
  } catch {
    // An installation that nobody may write to has no cache, and starts a little slower.
  }
}
