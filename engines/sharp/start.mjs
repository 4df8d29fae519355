// Compiled code is kept by the first start that may write there, so that later ones need not compile or strip types.
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/athanor-sharp', import.meta.url)))
await import('./worker.ts')
