import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { enginesOf, loadPlugins } from '../../kernel/catalogue/loader.ts'

const base = await mkdtemp(join(tmpdir(), 'athanor-loader-'))
t.teardown(() => rm(base, { recursive: true, force: true }))

/** Writes a plugin as its author would publish it: plain JavaScript, no import from this project. */
async function write(path: string, source: string): Promise<void> {
  await mkdir(join(base, path), { recursive: true })
  await writeFile(
    join(base, path, 'package.json'),
    JSON.stringify({ name: 'plugin', type: 'module', main: 'plugin.js' }),
  )
  await writeFile(join(base, path, 'plugin.js'), source)
}

const manifest = `{
  category: 'song',
  formats: { abc: { mime: 'text/vnd.abc' } },
  options: {},
  routes: [{ from: ['txt'], to: ['abc'], engine, args: () => [] }],
}`
const engine = `const engine = { name: 'abcm2ps', binary: ['abcm2ps'], version: ['-V'], argv: (job, args) => [args, job.input] }`

t.test('bundled plugins by their folder, with the state that the configuration gives them', async (t) => {
  const loaded = await loadPlugins({ image: true, cad: false })
  t.same(
    loaded.slice(0, 2).map(({ plugin, state }) => [plugin.category, state]),
    [
      ['image', 'open'],
      ['cad', 'closed'],
    ],
  )
  t.ok(
    loaded.slice(2).every(({ state }) => state === 'facts'),
    'those that it does not name lend their formats',
  )
  t.equal(loaded.length, 8)
})

t.test('a plugin from a folder or an npm package, which gets its settings and the engines that ship', async (t) => {
  await write('extra/song', `${engine}\nexport default ${manifest}`)
  await write(
    'node_modules/athanor-plugin-song',
    `${engine}\nexport const settings = { properties: { first: { type: 'string' }, second: { default: 2 } } }
    export default async ({ settings, engines }) => ({ ...${manifest}, wanted: [settings.first, \`\${settings.second}\`, ...Object.keys(engines)] })`,
  )
  const [fromFolder] = await loadPlugins({ './extra/song': true }, base)
  t.match(fromFolder, { state: 'open', plugin: { category: 'song', formats: { abc: { mime: 'text/vnd.abc' } } } })
  t.same(
    [...enginesOf([fromFolder!.plugin])].map(({ name }) => name),
    ['abcm2ps'],
  )
  const [fromPackage] = await loadPlugins({ 'athanor-plugin-song': { first: 'abc' } }, base)
  t.same(fromPackage!.plugin.wanted!.slice(0, 2), ['abc', '2'], 'with the defaults of its schema')
  t.ok(fromPackage!.plugin.wanted!.includes('sharp'), 'it may use the engines that ship')
})

t.test('settings that a plugin does not take stop the start', async (t) => {
  await write('extra/plain', `${engine}\nexport default ${manifest}`)
  await write('extra/odd', `${engine}\nexport const settings = { properties: 3 }\nexport default ${manifest}`)
  await write(
    'extra/set',
    `${engine}\nexport const settings = { type: 'object', properties: { size: { type: 'integer', minimum: 1 } } }
    export default () => (${manifest})`,
  )
  const refused = (name: string, settings: Record<string, unknown>, pattern: RegExp) =>
    t.rejects(loadPlugins({ [name]: settings }, base), { name: 'StartError', message: pattern })
  await refused(
    'image',
    { enabled: false },
    /^plugins\.image\.enabled: this plugin takes no settings\. .*false to close/,
  )
  await refused('./extra/plain', { size: 1 }, /plain\.size: this plugin takes no settings/)
  await refused('./extra/set', { enabled: false }, /set\.enabled: unknown key\. Allowed are size\. false closes/)
  await refused('./extra/set', { size: 'L' }, /set\.size: must be integer/)
  await refused('./extra/odd', { size: 1 }, /odd: its settings are no JSON Schema/)
  for (const [name, settings] of [
    ['image', {}],
    ['./extra/set', { size: 3 }],
  ] as const) {
    t.equal((await loadPlugins({ [name]: settings }, base))[0]!.state, 'open')
  }
})

t.test('what is wrong with a plugin stops the start and is said with its name', async (t) => {
  await write(
    'extra/broken',
    'export default { category: "Song", formats: { abc: {} }, options: {}, routes: [{ from: ["a"] }], more: 1 }',
  )
  await write('extra/throws', 'throw new Error("no such luck")')
  const fault = (name: string) =>
    loadPlugins({ [name]: true }, base).then(
      () => 'none',
      (error) => `${error.name}: ${error.message}`,
    )
  const broken = await fault('./extra/broken')
  for (const part of [
    'StartError',
    'plugins../extra/broken',
    '/category',
    '/formats/abc',
    '/routes/0',
    'additional properties',
  ]) {
    t.ok(broken.includes(part), `${part} in: ${broken}`)
  }
  t.match(await fault('./extra/throws'), /StartError: plugins\.\.\/extra\/throws: no such luck/)
  t.match(await fault('athanor-plugin-nosuch'), /StartError.*no such plugin; bundled are .*image/)
  t.match(await fault('../../etc'), /StartError.*no such plugin/)
})
