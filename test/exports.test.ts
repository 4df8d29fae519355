/** One word, one meaning: no two files of one scope export the same name. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import t from 'tap'

const root = join(import.meta.dirname, '..')

interface Declaration {
  file: string
  kind: string
  name: string
}

const DECLARATION = /^export (?:default )?(?:async )?(type|interface|class|function\*?|const|let) ([A-Za-z_$][\w$]*)/gm

/** Returns the names that each file declares and exports. Re-exports do not count. */
const declarations = (folder: string): Declaration[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(DECLARATION)].map(([, kind, name]) => ({
        file,
        kind: kind!,
        name: name!,
      })),
    )

const isType = ({ kind }: Declaration) => ['type', 'interface', 'class'].includes(kind)

/** Returns a line for each name that several files export. */
function repeated(found: readonly Declaration[], allowed: readonly string[] = []): string[] {
  return [...Map.groupBy(found, ({ name }) => name)]
    .map(([name, all]) => ({ name, files: [...new Set(all.map(({ file }) => file))] }))
    .filter(({ name, files }) => files.length > 1 && !allowed.includes(name))
    .map(({ name, files }) => `${name}: ${files.join(', ')}`)
}

const service = [...declarations('kernel'), ...declarations('config')]
const folders = (parent: string) =>
  readdirSync(join(root, parent), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(parent, entry.name))

t.test('the reader finds declarations of each kind', async (t) => {
  const names = (folder: string) => declarations(folder).map(({ name }) => name)
  t.ok(service.length > 500)
  t.ok(names('kernel/people').includes('createQuotas') && names('kernel/people').includes('Quotas'))
  t.strictSame(repeated([{ file: 'a.ts', kind: 'type', name: 'A' }]), [])
  const twice = ['a.ts', 'b.ts'].map((file) => ({ file, kind: 'type', name: 'A' }))
  t.strictSame(repeated(twice), ['A: a.ts, b.ts'])
})

t.test('kernel and configuration', async (t) => {
  t.strictSame(repeated(service), [])
})

t.test('a type of the kernel means the same in plugins, formats and engines', async (t) => {
  const shared = [...service, ...declarations('plugins/formats')].filter(isType)
  const engines = readdirSync(join(root, 'engines')).filter((name) => name.endsWith('.ts'))
  const ofEngines = declarations('engines').filter(({ file }) => engines.includes(file.slice('engines/'.length)))
  t.strictSame(repeated([...shared, ...ofEngines.filter(isType)]), [])
  // Plugins do not import each other.
  for (const plugin of folders('plugins').filter((name) => name !== 'plugins/formats')) {
    t.strictSame(repeated([...shared, ...declarations(plugin).filter(isType)]), [], plugin)
  }
})

t.test('types of each plugin and of each of our own programs', async (t) => {
  // A program imports only its own folder.
  for (const program of [...folders('engines/programs'), ...folders('plugins')]) {
    t.strictSame(repeated(declarations(program).filter(isType)), [], program)
  }
})
