import { chown, mkdir, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { newFolder, removeFolder } from '../folder.ts'
import { freePort } from '../free-port.ts'
import { startChild } from './child.ts'

/** A WebDAV server for a test. */
export interface WebdavServer extends AsyncDisposable {
  /** URL of the served folder, with a slash at the end. */
  url: string
  /** Path of that folder. */
  folder: string
  username: string
  password: string
}

const MODULES = ['mpm_event', 'authz_core', 'authz_user', 'auth_basic', 'authn_core', 'authn_file', 'dav', 'dav_fs']
const MORE = ['dir', 'autoindex', 'alias', 'mime']

/** Starts Apache with mod_dav (Debian: apache2-bin) on loopback, with Basic authentication. */
export async function startWebdav(): Promise<WebdavServer> {
  const place = await newFolder()
  const folder = join(place, 'files')
  await mkdir(folder)
  const root = userInfo().uid === 0
  const username = 'ada'
  const password = 'pass: wörd'
  // The {SHA} form of htpasswd(1): base64 of SHA-1.
  const hash = Buffer.from(await crypto.subtle.digest('SHA-1', Buffer.from(password))).toString('base64')
  await writeFile(join(place, 'users'), `${username}:{SHA}${hash}\n`)
  const port = await freePort()
  const modules = [...MODULES, ...MORE].map(
    (name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`,
  )
  const settings = `${modules.join('\n')}
ServerName 127.0.0.1
Listen 127.0.0.1:${port}
PidFile ${place}/pid
ErrorLog ${place}/error.log
StartServers 1
ThreadsPerChild 5
MaxRequestWorkers 5
DocumentRoot ${place}
TypesConfig /dev/null
DavLockDB ${place}/locks
Alias "/dav/my files" ${folder}
<Location /dav>
  Dav On
  Options Indexes
  AuthType Basic
  AuthName files
  AuthBasicProvider file
  AuthUserFile ${place}/users
  Require valid-user
</Location>
`
  await writeFile(join(place, 'apache.conf'), settings)
  if (root) for (const path of [place, folder]) await chown(path, 65_534, 65_534)
  const user = root ? { uid: 65_534, gid: 65_534 } : {}
  const url = `http://127.0.0.1:${port}/dav/my%20files/`
  const server = await startChild(
    ['/usr/sbin/apache2', '-d', place, '-f', join(place, 'apache.conf'), '-DFOREGROUND'],
    async () => (await fetch(url)).status === 401,
    { ...user, stdio: 'ignore' },
  )
  return {
    url,
    folder,
    username,
    password,
    async [Symbol.asyncDispose]() {
      await server.stop()
      await removeFolder(place)
    },
  }
}
