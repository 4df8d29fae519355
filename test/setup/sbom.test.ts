/** The bill of materials names each installed package, by the identity that scanners look up. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { admin } from '../harness/inside.ts'

const { version, dependencies } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'))

t.test('it lists npm and Debian packages as CycloneDX', async (t) => {
  const { code, stdout } = await admin({}, 'sbom')
  t.equal(code, 0)
  const { components, ...bom } = JSON.parse(stdout)
  t.match(bom, {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    serialNumber: /^urn:uuid:[0-9a-f-]{36}$/,
    metadata: { component: { name: 'athanor', version } },
  })
  const purls: string[] = components.map(({ purl }: any) => purl)
  for (const [name, version] of Object.entries<string>(dependencies))
    t.ok(purls.includes(`pkg:npm/${name.replace('@', '%40')}@${version}`), name)
  t.ok(
    purls.some((purl) => /^pkg:deb\/debian\/bubblewrap@[^?]+\?arch=\w+$/.test(purl)),
    'of Debian too',
  )
  t.match(
    components.find(({ name }: any) => name === 'koa'),
    { type: 'library', licenses: [{ license: { name: 'MIT' } }] },
  )
})
