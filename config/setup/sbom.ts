/** The software bill of materials, in the format CycloneDX 1.5 (cyclonedx.org). */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** A package. */
export interface Component {
  type: 'application' | 'library'
  name: string
  version: string
  /** Package URL (github.com/package-url/purl-spec): its identity in databases of vulnerabilities. */
  purl: string
  licenses?: { license: { name: string } }[]
}

const root = join(import.meta.dirname, '..', '..')

/** Lists all installed npm and Debian packages. There are no Debian packages on other systems. */
export async function listComponents(now = new Date()) {
  const { name, version }: { name: string; version: string } = JSON.parse(
    await readFile(join(root, 'package.json'), 'utf8'),
  )
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    serialNumber: `urn:uuid:${randomUUID()}`,
    version: 1,
    metadata: { timestamp: now.toISOString(), component: { type: 'application', name, version } },
    components: [...(await listNpm()), ...(await listDebian())],
  }
}

interface Installed {
  version?: string
  license?: string
  link?: boolean
}

/** Lists the npm packages by npm's own record of what it installed. */
async function listNpm(): Promise<Component[]> {
  const record: { packages: Record<string, Installed> } = JSON.parse(
    await readFile(join(root, 'node_modules/.package-lock.json'), 'utf8'),
  )
  return Object.entries(record.packages).flatMap(([path, { version, license, link }]): Component[] => {
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    if (!version || link) return []
    const purl = `pkg:npm/${name.replace('@', '%40')}@${encodeURIComponent(version)}`
    return [{ type: 'library', name, version, purl, ...(license && { licenses: [{ license: { name: license } }] }) }]
  })
}

const FIELDS = ['db:Status-Abbrev', 'Package', 'Version', 'Architecture', 'source:Package'].map((name) => `\${${name}}`)

/** Lists the installed Debian packages; none where there is no dpkg. */
async function listDebian(): Promise<Component[]> {
  const { stdout } = await promisify(execFile)('dpkg-query', ['-W', `-f=${FIELDS.join('|')}\n`], {
    maxBuffer: 64 * 1024 ** 2,
  }).catch(() => ({ stdout: '' }))
  return stdout.split('\n').flatMap((line): Component[] => {
    const [status, name, version, architecture, source] = line.split('|')
    if (!status?.startsWith('ii') || !name || !version) return []
    const purl = `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(version)}?arch=${architecture}`
    return [{ type: 'library', name, version, purl: source === name ? purl : `${purl}&upstream=${source}` }]
  })
}
