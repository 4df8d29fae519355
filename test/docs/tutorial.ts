import { spawn } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { removeFolder } from '../harness/folder.ts'
import { freePort } from '../harness/free-port.ts'
import { startRegistry } from '../harness/servers/registry.ts'
import { type Block, blocksOf } from './blocks.ts'

const root = join(import.meta.dirname, '../..')

/** The result of one `sh` block of a document. */
export interface Step {
  block: Block
  /** The `output` block after it, if there is one. */
  expected: string | undefined
  /** Its output. */
  printed: string
  code: number
}

/** Starts the service and waits until it is ready. npm then runs scripts in the checkout, as for a reader. */
const serve = (port: number, folder: string) => `
npm() { command npm --prefix "$ATHANOR" "$@" 2>/dev/null; }
npm start -- --no-setup >'${folder}/service.log' 2>&1 &
athanor=$!
until curl -sf http://127.0.0.1:${port}/readyz >/dev/null; do kill -0 "$athanor"; sleep 0.2; done`

/**
 * Follows a document as a reader does, in an empty folder: writes its files and runs its commands, in order and in one
 * shell, so that variables, folders and background jobs persist. `ATHANOR` is this checkout, `athanor` its command, npm
 * uses a registry on this machine, and a free port replaces 3000. Stops at the first command that fails.
 *
 * @param served Whether the document needs a running service, which is started first.
 */
export async function follow(document: string, { served = false } = {}): Promise<Step[]> {
  const folder = await mkdtemp('/var/tmp/athanor-docs-') // not in /tmp, of which each sandbox has its own
  await chmod(folder, 0o755) // engines run as another user, which must be able to enter
  await using registry = await startRegistry()
  const port = await freePort()
  const home = join(folder, '.home')
  const work = join(folder, 'work')
  await Promise.all([mkdir(join(home, 'bin'), { recursive: true }), mkdir(work)])
  // As `npm install --global .` does.
  await symlink(join(root, 'cli/athanor.sh'), join(home, 'bin/athanor'))
  const env = {
    PATH: `${join(home, 'bin')}:${process.env.PATH}`,
    HOME: home,
    ATHANOR: root,
    PORT: `${port}`,
    DATA_DIR: join(folder, 'data'),
    npm_config_registry: registry.url,
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
    npm_config_cache: join(home, 'npm'),
    NO_COLOR: '1',
  }
  const steps: Step[] = []
  const script = ['set -eu', 'umask 022', ...(served ? [serve(port, folder)] : [])]
  for (const block of blocksOf(document)) {
    if (block.words.includes('part') || block.words.includes('skip')) continue
    if (block.file) {
      const draft = join(folder, `block-${block.line}`)
      await writeFile(draft, block.text)
      script.push(`mkdir -p '${dirname(block.file)}'`, `cp '${draft}' '${block.file}'`)
    } else if (block.language === 'output') {
      steps.at(-1)!.expected = block.text
    } else if (block.language === 'sh') {
      const log = join(folder, `step-${steps.length}`)
      script.push(`exec >'${log}' 2>&1`, block.text.replaceAll(':3000', `:${port}`), `echo 0 >'${log}.code'`)
      steps.push({ block, expected: undefined, printed: '', code: 1 })
    }
  }
  const shell = spawn('bash', ['-c', script.join('\n')], { cwd: work, env, stdio: 'ignore', detached: true })
  try {
    await new Promise((resolve) => shell.on('close', resolve))
    for (const [at, step] of steps.entries()) {
      step.printed = await readFile(join(folder, `step-${at}`), 'utf8').catch(() => '')
      step.code = Number(await readFile(join(folder, `step-${at}.code`), 'utf8').catch(() => 1))
    }
    return steps
  } finally {
    try {
      process.kill(-shell.pid!, 'SIGKILL') // ends its background jobs
    } catch {}
    await removeFolder(folder)
  }
}
