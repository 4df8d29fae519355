/** Builds the page from page/ and client/. The service reads it once. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildOnce, bundle, compressAll, fill, hashed } from './bundle.mjs'

/**
 * Builds the page, unless that was done for these sources.
 *
 * @throws Error with the messages of the compiler.
 */
export async function buildPage(root) {
  const source = join(root, 'page')
  // In a container image, setup runs before the sources are copied.
  if (!existsSync(source)) return
  const sources = [import.meta.dirname, source, join(root, 'client')]
  await buildOnce(root, 'athanor-page', sources, async (folder) => {
    const { main } = await bundle('page', { main: join(source, 'main.tsx') }, folder)
    const icon = hashed(join(source, 'mark.svg'), folder)
    compressAll(folder)
    // The service serves these files under the name of the folder.
    const shared = main.shared.map((file) => `<link rel="modulepreload" href="page/${file}">\n`).join('')
    const values = { script: `page/${main.script}`, style: `page/${main.style}`, icon: `page/${icon}`, shared }
    writeFileSync(join(folder, 'index.html'), fill(readFileSync(join(source, 'index.html'), 'utf8'), values))
  })
}
