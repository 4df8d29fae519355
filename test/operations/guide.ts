import { spawn } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Test } from 'tap'
import { serverOf } from '../../kernel/database/server.ts'
import { blocksOf } from '../docs/blocks.ts'
import { folderOf } from '../harness/folder.ts'
import { ask, type Belongings } from './belongings.ts'

/** Commands of the operations guide, by what they do. */
export const [backUpSqlite, backUpFiles, backUpServer, restoreSqlite, restoreServer, restoreFiles] = blocksOf(
  join(import.meta.dirname, '../../docs/operations.md'),
)
  .filter(({ text }) => text.includes('athanor-backup'))
  .map(({ text }) => text) as [string, string, string, string, string, string]

/** Makes an empty folder for backups, and for the data folders of an old and a new service. */
export async function emptyFolder(t: Test): Promise<string> {
  const folder = await folderOf(t)
  for (const name of ['old', 'new']) await mkdir(join(folder, name, 'data'), { recursive: true })
  await mkdir(join(folder, 'backup'), { mode: 0o700 })
  return folder
}

/** Runs commands of the guide in the folder of the backup. */
export async function run(t: Test, folder: string, commands: string, env: NodeJS.ProcessEnv): Promise<void> {
  const shell = spawn('bash', ['-euc', commands], {
    cwd: join(folder, 'backup'),
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'inherit', 'pipe'],
  })
  let said = ''
  shell.stderr.on('data', (chunk) => (said += chunk))
  const code = await new Promise((resolve) => shell.on('close', resolve))
  t.equal(code, 0, `${commands}${said}`)
}

/**
 * Writes the settings by which MariaDB's programs find a server, and returns their environment.
 * @param home A folder.
 */
export async function clientSettings(home: string, url: string): Promise<NodeJS.ProcessEnv> {
  const { socketPath } = serverOf(url) as { socketPath: string }
  await writeFile(join(home, '.my.cnf'), `[client]\nuser=root\nsocket=${socketPath}\n`)
  return { HOME: home }
}

/** Returns what an account has used today, and the day. */
export async function usageOf(base: string, { email, password }: Belongings): Promise<{ day: string }> {
  const { token } = (await (await ask(base, '', 'POST', '/api/auth/login', { email, password })).json()) as any
  const { usage } = (await (await ask(base, token, 'GET', '/api/users/me')).json()) as any
  return { ...usage, day: new Date().toISOString().slice(0, 10) }
}
