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
    `${engine}\nexport default async ({ settings, engines }) => ({ ...${manifest}, wanted: [settings.first, ...Object.keys(engines)] })`,
  )
  const [fromFolder] = await loadPlugins({ './extra/song': true }, base)
  t.match(fromFolder, { state: 'open', plugin: { category: 'song', formats: { abc: { mime: 'text/vnd.abc' } } } })
  t.same(
    [...enginesOf([fromFolder!.plugin])].map(({ name }) => name),
    ['abcm2ps'],
  )
  const [fromPackage] = await loadPlugins({ 'athanor-plugin-song': { first: 'abc' } }, base)
  t.equal(fromPackage!.plugin.wanted![0], 'abc')
  t.ok(fromPackage!.plugin.wanted!.includes('sharp'), 'it may use the engines that ship')
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
