import t from 'tap'
import { loadPlugins } from '../../kernel/catalogue/loader.ts'
import { checkNames } from '../../kernel/catalogue/names.ts'

const plugins = await loadPlugins({ image: true, cad: false })

const check =
  (disabled: string[], prefer: string[] = []) =>
  () =>
    checkNames(plugins, { tools: { disabled }, prefer })

t.test('known names are accepted, whatever is installed on this machine', async (t) => {
  t.doesNotThrow(check(['png-to-webp', '*-to-exr', 'optimize-*', '*']))
  t.doesNotThrow(check(['step-to-stl']), 'of a plugin that is closed')
  t.doesNotThrow(check(['docx-to-pdf', 'mp4-to-*']), 'of plugins that are not loaded')
  t.doesNotThrow(check([], ['inkscape', 'librsvg', 'libreoffice']))
})

t.test('an unknown name stops the start', async (t) => {
  const refused = (run: () => void, ...patterns: RegExp[]) => {
    for (const message of patterns) t.throws(run, { name: 'StartError', message })
  }
  refused(check(['png-to-wepb']), /^tools\.disabled: "png-to-wepb" matches no tool\. Did you mean png-to-webp\?$/)
  refused(check(['*-to-wepb']), /"\*-to-wepb" matches no tool\. Did you mean \*-to-webp\?/)
  refused(check(['jpeg-to-png']), /Did you mean jpg-to-png\?/)
  refused(check(['something-else-entirely']), /matches no tool\. GET \/api\/tools lists all tools/)
  refused(check([], ['librsvgg']), /^prefer: there is no engine "librsvgg"\. Did you mean librsvg\?$/)
  refused(check([], ['zzzzzzzzzzzz']), /no engine "zzzzzzzzzzzz"\. Engines are .*, inkscape, /)
  refused(check(['a-to-b', 'png-to-webp'], ['nosuchengineatall']), /"a-to-b"/, /\n?prefer: /)
})
