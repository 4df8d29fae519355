/** The npm packages, exactly as in package-lock.json. */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const read = (path) => JSON.parse(readFileSync(path, 'utf8')).packages

/** Whether node_modules matches package-lock.json, by npm's own record in node_modules. */
export function npmIsComplete(root, tests) {
  const record = join(root, 'node_modules/.package-lock.json')
  if (!existsSync(record)) return false
  if (process.platform === 'linux' && !existsSync(join(root, 'node_modules/.bin/node'))) return false
  const installed = read(record)
  return Object.entries(read(join(root, 'package-lock.json'))).every(([path, item]) => {
    if (path === '') return true
    if (!installed[path]) return item.optional || item.devOptional || item.peer || (item.dev && !tests)
    return installed[path].version === item.version && installed[path].integrity === item.integrity
  })
}

/** Runs `npm ci` without install scripts, which no package needs. */
export async function installNpm(root, tests) {
  const count = Object.keys(read(join(root, 'package-lock.json'))).length
  console.log(`Installing npm packages (about ${count}, Node 24 among them) into node_modules …`)
  const started = Date.now()
  process.umask(0o022) // the engines' user must be able to read them
  // npm must not run on the Node of the folder that it replaces.
  const path = process.env.PATH.split(delimiter).filter((folder) => !folder.startsWith(join(root, 'node_modules')))
  const { npm_execpath: cli, npm_node_execpath: node } = process.env
  const usable = cli && node && !node.startsWith(join(root, 'node_modules'))
  const command = usable ? [node, cli] : ['npm']
  const options = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--progress=false']
  const code = await run([...command, ...options, ...(tests ? ['--include=dev'] : [])], root, path.join(delimiter))
  if (code !== 0) throw new Error(`npm ci failed (exit code ${code}); its messages are above`)
  console.log(`Installed the npm packages in ${Math.round((Date.now() - started) / 1000)} s.`)
}

/**
 * Runs npm and resolves to its exit code. Kills npm when this process ends, because it reacts slowly to other signals.
 */
function run([command, ...args], cwd, PATH) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, PATH } })
    for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => child.kill('SIGKILL'))
    child.on('error', reject).on('close', (code) => resolve(code ?? 1))
  })
}
