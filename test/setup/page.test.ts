/** How setup builds the page. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { buildPage } from '../../config/setup/page.mjs'

const html = '<link href="{{icon}}"><link href="{{style}}"><script src="{{script}}"></script>{{name}}'
const page = {
  'index.html': html,
  'icons.html': '<svg hidden></svg>',
  'mark.svg': '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path d="M4 4H28V28H4z"/></svg>',
  'manifest.webmanifest': '{}',
  install: { 'share-worker.ts': "addEventListener('fetch', () => {})\n" },
  thumbnails: { 'thumbnail-worker.ts': "addEventListener('message', () => {})\n" },
  'page.css': 'p { color: red }',
  'main.tsx': "import './page.css'\nconsole.log('first')\n",
  'jsx.ts': '',
}

t.test('built once for its sources, and again when they change', async (t) => {
  const empty = t.testdir({ node_modules: {} })
  await buildPage(empty)
  t.strictSame(readdirSync(empty), ['node_modules'], 'without sources there is nothing to build')
  const root = t.testdir({ page, client: {}, node_modules: { '.package-lock.json': '{}' } })
  const place = join(root, 'node_modules/.cache/athanor-page')
  const script = () => readdirSync(place).find((name) => /^main-\w+\.js$/.test(name))!
  await buildPage(root)
  const first = script()
  t.match(readFileSync(join(place, first), 'utf8'), /^\/\/# allFunctionsCalledOnLoad\n/, 'compiled while it loads')
  t.match(
    readFileSync(join(place, 'index.html'), 'utf8'),
    new RegExp(`href="page/mark-\\w+\\.svg".*page/${first}.*{{name}}`),
  )
  for (const ending of ['.br', '.gz']) t.ok(readdirSync(place).includes(first + ending))
  writeFileSync(join(place, 'mine'), '')
  await buildPage(root)
  t.ok(readdirSync(place).includes('mine'), 'it is left alone')
  writeFileSync(join(root, 'page/main.tsx'), "import './page.css'\nconsole.log('second')\n")
  await buildPage(root)
  t.not(script(), first, 'its name follows its content')
  t.notOk(readdirSync(place).includes(first))
})

t.test("a page that cannot be built stops setup with the compiler's message, and the old page stays", async (t) => {
  const root = t.testdir({ page, client: {}, node_modules: { '.package-lock.json': '{}' } })
  await buildPage(root)
  writeFileSync(join(root, 'page/main.tsx'), "import './page.css'\nconst a = <p>\n")
  await t.rejects(buildPage(root), { message: /the page could not be built:\n.*main\.tsx:\d+:\d+/s })
  t.ok(readdirSync(join(root, 'node_modules/.cache/athanor-page')).includes('index.html'))
  t.strictSame(readdirSync(join(root, 'node_modules/.cache')), ['athanor-page'])
})
