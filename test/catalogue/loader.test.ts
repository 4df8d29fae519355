import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { loadPlugins } from '../../kernel/catalogue/loader.ts'
import { enginesOf } from '../../kernel/catalogue/manifest/route.ts'
import { folderOf } from '../harness/folder.ts'

const base = await folderOf(t)

/** Writes a plugin as an author would publish it: plain JavaScript without imports from this project. */
async function write(path: string, source: string, manifest: object = {}): Promise<void> {
  await mkdir(join(base, path), { recursive: true })
  const { main = 'plugin.js' } = manifest as { main?: string }
  await writeFile(
    join(base, path, 'package.json'),
    JSON.stringify({ name: 'plugin', type: 'module', main, ...manifest }),
  )
  await writeFile(join(base, path, main), source)
}

/** Returns the error of a start with a plugin; `none` if there is none. */
const faultOf = (name: string) =>
  loadPlugins({ [name]: true }, base).then(
    () => 'none',
    (error) => `${error.name}: ${error.message}`,
  )

const manifest = `{
  category: 'song',
  formats: { abc: { mime: 'text/vnd.abc' } },
  options: {},
  routes: [{ from: ['txt'], to: ['abc'], engine, args: () => [] }],
}`
const engine = `const engine = { name: 'abcm2ps', binary: ['abcm2ps'], version: ['-V'], argv: (job, args) => [args, job.input] }`

t.test('loads bundled plugins by folder, with the state from the configuration', async (t) => {
  const loaded = await loadPlugins({ image: true, cad: false })
  t.same(
    loaded.slice(0, 2).map(({ plugin, state }) => [plugin.category, state]),
    [
      ['image', 'open'],
      ['cad', 'closed'],
    ],
  )
  // Those that it does not name lend their formats.
  t.ok(loaded.slice(2).every(({ state }) => state === 'facts'))
  t.equal(loaded.length, 8)
})

t.test('a plugin from a folder or an npm package gets its settings and the bundled engines', async (t) => {
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
    /^plugins\.image\.enabled: this plugin takes no settings\. .*false to disable/,
  )
  await refused('./extra/plain', { size: 1 }, /plain\.size: this plugin takes no settings/)
  await refused(
    './extra/set',
    { enabled: false },
    /set\.enabled is unknown; allowed are size\.\n.*disable a plugin, write false/,
  )
  await refused('./extra/set', { size: 'L' }, /set\.size must be an integer of at least 1\./)
  await refused('./extra/odd', { size: 1 }, /odd: its settings are not a valid JSON Schema/)
  for (const [name, settings] of [
    ['image', {}],
    ['./extra/set', { size: 3 }],
  ] as const) {
    t.equal((await loadPlugins({ [name]: settings }, base))[0]!.state, 'open')
  }
})

t.test('a faulty plugin stops the start, and the message names it', async (t) => {
  await write(
    'extra/broken',
    'export default { category: "Song", formats: { abc: {} }, options: {}, routes: [{ from: ["a"] }], more: 1 }',
  )
  await write('extra/throws', 'throw new Error("no such luck")')
  const fault = faultOf
  const broken = await fault('./extra/broken')
  for (const part of [
    'StartError',
    'plugins../extra/broken: category must be a name of lower-case letters',
    'plugins../extra/broken: formats.abc.mime is missing',
    'plugins../extra/broken: more is unknown; allowed are category, formats',
  ]) {
    t.ok(broken.includes(part), `${part} in: ${broken}`)
  }
  t.match(await fault('./extra/throws'), /StartError: plugins\.\.\/extra\/throws: no such luck/)
  t.match(await fault('athanor-plugin-nosuch'), /StartError.*no such plugin; bundled are .*image/)
  t.match(await fault('../../etc'), /StartError.*no such plugin/)
})

t.test('the message for a missing plugin says where the service looked', async (t) => {
  const esm = { exports: { '.': { import: './dist/esm.js' } }, main: undefined }
  await mkdir(join(base, 'node_modules/athanor-plugin-esm/dist'), { recursive: true })
  await write('node_modules/athanor-plugin-esm', '', esm)
  await writeFile(join(base, 'node_modules/athanor-plugin-esm/dist/esm.js'), `${engine}\nexport default ${manifest}`)
  t.equal(await faultOf('athanor-plugin-esm'), 'none', 'a package of ECMAScript modules alone is found')

  await write('extra/exports', `${engine}\nexport default ${manifest}`, {
    name: 'own',
    exports: './plugin.js',
    main: undefined,
  })
  t.equal(await faultOf('./extra/exports'), 'none', 'a folder by its exports')
  await mkdir(join(base, 'extra/typed'), { recursive: true })
  await writeFile(
    join(base, 'extra/typed/index.ts'),
    `${engine.replace('engine =', 'engine: object =')}\nexport default ${manifest}`,
  )
  t.equal(await faultOf('./extra/typed'), 'none', 'a folder by its index.ts')
  await write('extra/compiled', `${engine}\nexports.__esModule = true\nexports.default = ${manifest}`, {
    type: 'commonjs',
  })
  t.equal(await faultOf('./extra/compiled'), 'none', 'TypeScript that was compiled to CommonJS')

  await write('node_modules/athanor-plugin-named', 'export const plugin = {}, more = 1')
  t.match(
    await faultOf('athanor-plugin-named'),
    /found .*plugin\.js, but it does not export a plugin by default: it exports more, plugin/,
  )
  await write('node_modules/athanor-plugin-lost', '', { exports: './dist/index.js', main: undefined })
  t.match(
    await faultOf('athanor-plugin-lost'),
    /found the package in node_modules\/athanor-plugin-lost, but its "exports" or "main" leads to no file/,
  )
  await write('node_modules/athanor-plugin-typed', 'export default {} as object', { main: 'index.ts' })
  t.match(
    await faultOf('athanor-plugin-typed'),
    /is TypeScript, which Node does not run from node_modules: the package must publish JavaScript/,
  )
  t.match(
    await faultOf('athanor-plugin-nosuch'),
    /no such plugin; bundled are .*; paths start with \.\/ or \/; npm packages are installed in \//,
  )
  t.match(await faultOf('./extra/nosuch'), /no such plugin: there is no file or folder .*extra\/nosuch$/)
  await mkdir(join(base, 'extra/empty'), { recursive: true })
  t.match(
    await faultOf('./extra/empty'),
    /no such plugin: the folder .*extra\/empty exists, but it contains no package\.json, index\.js or index\.ts/,
  )
  await write('extra/syntax', 'export default {\n  category: "x" formats: {}\n}')
  t.match(await faultOf('./extra/syntax'), /Unexpected .* \(in .*syntax\/plugin\.js\)$/, 'with its file')
  await write('extra/factory', 'export default ({ settings }) => settings.no.such')
  t.match(await faultOf('./extra/factory'), /its factory threw: Cannot read properties/)
  await write('extra/nothing', 'export default () => {}')
  t.match(await faultOf('./extra/nothing'), /the default export must be an object with category.*, not undefined/)
})

t.test('an unknown engine is named, with the existing ones', async (t) => {
  const route = (engine: string) =>
    `export default ({ engines }) => ({ category: 'song', formats: { abc: { mime: 'text/vnd.abc' } }, options: {},
      routes: [{ from: ['txt'], to: ['abc'], engine: ${engine}, args: () => [] }] })`
  await write('extra/typo', route('engines.fmpeg'))
  const typo = await faultOf('./extra/typo')
  t.match(typo, /plugins\.\.\/extra\/typo: routes\[0\]\.engine is undefined: is it one of the engines that ship\?/)
  t.match(typo, /Those that ship are .*\bffmpeg\b/)
  t.equal(typo.split('\n').length, 1, 'and nothing besides')
  await write('extra/word', route('"ffmpeg"'))
  t.match(
    await faultOf('./extra/word'),
    /routes\[0\]\.engine must be the engine itself, not its name "ffmpeg": a factory gets/,
  )
  await write('extra/ships', route('engines.ffmpeg'))
  t.equal(await faultOf('./extra/ships'), 'none')
})
