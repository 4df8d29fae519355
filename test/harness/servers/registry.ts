import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Origin, startOrigin } from './origin.ts'

const modules = join(import.meta.dirname, '../../../node_modules')

/** A local npm registry with the packages from node_modules, so that npm can install without a network. */
export async function startRegistry(): Promise<{ url: string } & AsyncDisposable> {
  const origin: Origin = await startOrigin((request, response) => {
    const [, name = '', tarball] = /^\/((?:@[^/]+\/)?[^/]+)(\/-\/.+)?$/.exec(decodeURIComponent(request.url!)) ?? []
    const file = join(modules, name, 'package.json')
    if (!name || name.includes('..') || !existsSync(file)) return response.writeHead(404).end('{}')
    if (tarball) {
      response.writeHead(200, { 'content-type': 'application/gzip' })
      const tar = spawn('tar', ['-cz', '--transform', 's,^\\.,package,', '-C', join(modules, name), '.'])
      return tar.stdout.pipe(response)
    }
    const { scripts: _, optionalDependencies = {}, ...manifest } = JSON.parse(readFileSync(file, 'utf8'))
    const present = Object.entries(optionalDependencies).filter(([other]) => existsSync(join(modules, other)))
    const dist = { tarball: `${origin.base}/${name}/-/${manifest.version}.tgz` }
    const version = { ...manifest, optionalDependencies: Object.fromEntries(present), dist }
    const packument = { name, 'dist-tags': { latest: manifest.version }, versions: { [manifest.version]: version } }
    return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(packument))
  })
  return { ...origin, url: origin.base }
}
