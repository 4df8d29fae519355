/** Builds fonts with the measures of those that Debian lacks: LibreOffice then breaks lines as Word does. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { buildOnce } from './bundle.mjs'

/** What the fonts are made of, and by. */
const needed = [
  '/usr/share/fonts/opentype/noto/NotoSerifCJK-Bold.ttc',
  '/usr/share/fonts/truetype/ancient-scripts/Symbola_hint.ttf',
  '/usr/share/fonts/opentype/urw-base35/StandardSymbolsPS.otf',
  '/usr/lib/python3/dist-packages/fontTools',
]

/** Builds the fonts, unless that was done. Without Noto's fonts or FontTools, documents are drawn with others. */
export async function buildFonts(root) {
  const source = join(root, 'engines/fonts')
  const program = join(source, 'build.py')
  // In a container image, setup runs before the sources are copied.
  if (![program, ...needed].every((path) => existsSync(path))) return
  const place = join(root, 'node_modules/.cache/athanor-fonts')
  await buildOnce(root, 'athanor-fonts', [source], (folder) => {
    const { status, stderr } = run('/usr/bin/python3', ['-E', '-s', '-B', program, folder, place])
    if (status !== 0) throw new Error(`the East Asian fonts could not be built:\n${stderr}`)
  })
  // Once they are in their place. Otherwise each program that draws text would read them.
  const env = { ...process.env, FONTCONFIG_FILE: join(place, 'fonts.conf') }
  if (!existsSync(join(place, 'cache'))) run('fc-cache', [join(place, 'faces')], env)
}

const run = (program, args, env = process.env) => spawnSync(program, args, { encoding: 'utf8', timeout: 300_000, env })
