/** External packages are pinned by version and hash, and the container runs with minimal rights. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'

const root = join(import.meta.dirname, '..')
const read = (name: string) => readFile(join(root, name), 'utf8')
const manifest = JSON.parse(await read('package.json'))
const lock = JSON.parse(await read('package-lock.json'))

t.test('every package has an exact version and a hash in the lockfile', async (t) => {
  const wanted: Record<string, string> = {
    ...manifest.dependencies,
    ...manifest.devDependencies,
    ...manifest.optionalDependencies,
  }
  for (const [name, version] of Object.entries(wanted)) {
    t.match(version, /^\d+\.\d+\.\d+(-[\w.]+)?$/, `${name} is pinned`)
    t.equal(lock.packages[`node_modules/${name}`]?.version, version, `${name} is what the lockfile has`)
  }
  const entries = Object.entries<any>(lock.packages).filter(([place]) => place !== '')
  t.ok(entries.length > Object.keys(wanted).length)
  const open = entries.filter(
    ([, { integrity, link, inBundle }]) => !link && !inBundle && !/^sha512-/.test(integrity ?? ''),
  )
  t.same(
    open.map(([place]) => place),
    [],
    'each has its SHA-512',
  )
  t.same({ ...lock.packages[''].dependencies }, manifest.dependencies, 'the lockfile is of this manifest')
  t.same({ ...lock.packages[''].devDependencies }, manifest.devDependencies)
  const scripted = entries.filter(([place, { hasInstallScript, dev }]) => hasInstallScript && !dev && place)
  t.match(
    await read('.npmrc'),
    /^ignore-scripts=true$/m,
    `no script of a package runs at its installation (${scripted.length} have one)`,
  )
})

t.test('the container', async (t) => {
  const file = await read('Containerfile')
  const users = [...file.matchAll(/^USER\s+(\S+)/gm)].map(([, user]) => user!)
  t.ok(users.length > 0 && !/^(root|0)(:|$)/.test(users.at(-1)!), 'it does not run as root')
  t.match(file, /--read-only/, 'with a root that nobody writes to')
  t.match(file, /seccomp|userns|unprivileged/i, 'and says what bubblewrap needs')
})

t.test('a vulnerability in a supported version can be reported privately', async (t) => {
  const policy = await read('SECURITY.md')
  t.match(await read('README.md'), '](SECURITY.md)', 'the README leads there')
  t.match(policy, /private report/i)
  t.notMatch(policy, /@[a-z0-9-]+\.[a-z]{2,}/i, 'no mail address that may not exist')
  const [major, minor] = manifest.version.split('.')
  const supported = [...policy.matchAll(/^\| (\d+\.\d+)\.x .*\| yes \|$/gm)].map(([, version]) => version)
  t.strictSame(supported, [`${major}.${minor}`], 'the version of package.json is the supported one')
  for (const [, script] of policy.matchAll(/npm run ([\w:]+)/g)) t.ok(manifest.scripts[script!], script!)
})
