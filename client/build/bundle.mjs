/**
 * Builds the client library: one file, and one more for uploads in parts, with their types.
 * `node client/build/bundle.mjs [FOLDER]`: in its folder `dist`; default client.
 */
import { execFileSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'

const root = join(import.meta.dirname, '../..')
const client = join(root, 'client')
const outdir = join(resolve(process.argv[2] ?? client), 'dist')

await build({
  entryPoints: [join(client, 'athanor.ts')],
  outdir,
  bundle: true,
  splitting: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  // Loaded only where there are files.
  external: ['node:*'],
  chunkNames: '[name]-[hash]',
  legalComments: 'none',
})
execFileSync(join(root, 'node_modules/.bin/tsc'), ['-p', client, '--outDir', outdir], { stdio: 'inherit' })
