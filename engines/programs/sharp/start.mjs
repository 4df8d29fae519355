// Starts the worker with a cache of its compiled code, so that Node need not strip types and compile again.
// Sandboxes can only read the cache. `--version`, which runs before the first sandbox, writes it.
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
    // Node has one cache per user id. This is the user id inside the sandbox.
    for (const file of readdirSync(directory)) chmodSync(join(directory, file), 0o644)
    const alias = directory.replace(/\d+$/, '1000')
    if (!existsSync(alias)) symlinkSync(basename(directory), alias)
  } catch {
    // A read-only installation has no cache, and starts a little slower.
  }
}
