import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { newFolder, removeFolder } from '../folder.ts'
import { freePort } from '../free-port.ts'
import { type Child, startChild } from './child.ts'

/** HAProxy with the configuration of config/deploy. */
export interface Haproxy extends Child {
  base: string
  /** Lists the names of the servers that get requests now. */
  working(): Promise<string[]>
}

/**
 * Starts HAProxy with the configuration of config/deploy in front of servers, and resolves when it answers.
 *
 * @param servers Lines that replace its `server-template`. Without any, that stays. @param change Changes the rest of
 * the file.
 */
export async function startHaproxy(
  servers: readonly string[],
  change = (config: string): string => config,
): Promise<Haproxy> {
  const folder = await newFolder()
  const port = await freePort()
  const statusPort = await freePort()
  const example = await readFile(join(import.meta.dirname, '../../../config/deploy/haproxy.cfg'), 'utf8')
  const status = `\nfrontend status\n  bind 127.0.0.1:${statusPort}\n  stats enable\n  stats uri /\n`
  const here = example.replace('bind :8080', `bind 127.0.0.1:${port}`)
  const config = servers.length ? here.replace(/server-template .*/, servers.join('\n  ')) : here
  await writeFile(join(folder, 'haproxy.cfg'), change(config) + status)
  const base = `http://127.0.0.1:${port}`
  const server = await startChild(['/usr/sbin/haproxy', '-db', '-f', join(folder, 'haproxy.cfg')], () => fetch(base))

  async function working(): Promise<string[]> {
    const table = await (await fetch(`http://127.0.0.1:${statusPort}/;csv`)).text()
    const [head = '', ...lines] = table.trim().split('\n')
    const names = head.replace('# ', '').split(',')
    return lines
      .map((line) => Object.fromEntries(line.split(',').map((value, n) => [names[n], value])))
      .filter((row) => row.pxname === 'nodes' && row.svname !== 'BACKEND' && /^UP/.test(row.status!))
      .map((row) => row.svname!)
  }
  return {
    ...server,
    base,
    working,
    async [Symbol.asyncDispose]() {
      await server.stop()
      await removeFolder(folder)
    },
  }
}
