/** Builds the page from page/ and client/. The service reads it once. */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildOnce, bundle, compressAll, fill, hashed } from './bundle.mjs'
import { drawIcons } from './icons.mjs'
import { compileTexts } from './texts.mjs'

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
    const settings = { plugins: [compileTexts(source)], inject: [join(source, 'jsx.ts')] }
    const { main } = await bundle('page', { main: join(source, 'main.tsx') }, folder, settings)
    // Nearly all functions of the first scripts run at once. Chromium then compiles them while it loads them, beside
    // the thread that draws: https://v8.dev/blog/explicit-compile-hints The hash in the name does not cover this line.
    // It need not: a browser that keeps a copy without it runs the same code. Small ones compile in no time.
    const large = main.shared.filter((name) => statSync(join(folder, name)).size > 2000)
    for (const path of [main.script, ...large].map((name) => join(folder, name)))
      writeFileSync(path, `//# allFunctionsCalledOnLoad\n${readFileSync(path, 'utf8')}`)
    // Browsers look for a newer worker under the same name.
    const workers = {
      'share-worker': join(source, 'install/share-worker.ts'),
      'thumbnail-worker': join(source, 'thumbnails/thumbnail-worker.ts'),
    }
    // Each is one file: they are no modules.
    await bundle('page', workers, folder, { entryNames: '[name]', splitting: false })
    const mark = join(source, 'mark.svg')
    const icon = hashed(mark, folder)
    const icons = await drawIcons(mark, folder)
    compressAll(folder)
    const manifest = JSON.parse(readFileSync(join(source, 'manifest.webmanifest'), 'utf8'))
    const scalable = { src: icon, sizes: 'any', type: 'image/svg+xml' }
    writeFileSync(
      join(folder, 'manifest.webmanifest'),
      JSON.stringify({ ...manifest, icons: [scalable, ...icons.listed] }),
    )
    // The service serves these files under the name of the folder.
    const shared = main.shared.map((file) => `<link rel="modulepreload" href="page/${file}">\n`).join('')
    const values = {
      script: `page/${main.script}`,
      style: `page/${main.style}`,
      icon: `page/${icon}`,
      touch: `page/${icons.touch}`,
      shared,
      icons: readFileSync(join(source, 'icons.html'), 'utf8'),
    }
    writeFileSync(join(folder, 'index.html'), fill(readFileSync(join(source, 'index.html'), 'utf8'), values))
  })
}
