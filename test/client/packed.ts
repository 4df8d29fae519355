import { execFile } from 'node:child_process'
import { cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '../..')

/** Runs a program as a user of the package does. */
export const run = (command: string, args: string[], cwd: string, env: object = {}) =>
  promisify(execFile)(command, args, { cwd, env: { ...process.env, NODE_OPTIONS: '', ...env } })

/** The package of the client library, built, packed, and installed into an empty project. */
export interface Packed {
  /** Where it was built. */
  built: string
  project: string
  /** Paths in the package. */
  files: string[]
}

/** Builds and installs it in a folder, which must be empty. */
export async function packClient(folder: string): Promise<Packed> {
  const built = join(folder, 'client')
  await mkdir(built)
  for (const name of ['package.json', 'README.md']) await cp(join(root, 'client', name), join(built, name))
  await run(process.execPath, [join(root, 'client/build/bundle.mjs'), built], root)
  const packed = await run('npm', ['pack', built, '--pack-destination', folder, '--json'], folder)
  const [{ filename, files }] = JSON.parse(packed.stdout)
  const project = join(folder, 'project')
  await mkdir(project)
  await writeFile(join(project, 'package.json'), '{"name":"mine","type":"module","private":true}')
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', join(folder, filename)], project)
  return { built, project, files: files.map(({ path }: { path: string }) => path) }
}
