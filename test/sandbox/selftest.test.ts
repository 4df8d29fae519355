import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { createSandboxes } from '../../kernel/sandbox/sandboxes.ts'
import { selfTest } from '../../kernel/sandbox/walls/selftest.ts'
import { unprivilegedUser } from '../../kernel/sandbox/walls/user.ts'
import { folderOf } from '../harness/folder.ts'
import { makeSource, settings } from '../harness/sandboxes.ts'

/** A launcher with a program that prints the given text. */
const saying = (...said: string[]) => ({
  shields: true,
  paths: () => ({ in: '/in', out: '/out', scratch: '/scratch' }),
  start: () => ({
    pid: 1,
    ended: Promise.resolve({ code: 1 }),
    listen: (listener: (line: string, stream: 'stdout') => void) =>
      said.forEach((line) => void listener(line, 'stdout')),
    read() {},
    write() {},
    kill() {},
  }),
})

t.test('errors of bwrap are reported with cause and remedy', async (t) => {
  const work = await folderOf(t)
  await t.resolves(selfTest(saying('done'), work, work))
  for (const [said, remedy] of [
    [
      'bwrap: Creating new namespace failed: nesting depth or /proc/sys/user/max_*_namespaces exceeded (ENOSPC)',
      /max_user_n/,
    ],
    ['bwrap: No permissions to create new namespace, likely because the kernel does not allow', /seccomp profile/],
    ["bwrap: Can't mount proc on /newroot/proc: Operation not permitted", /unmask=ALL/],
    ['bwrap: cannot open /proc/sys/user/max_user_namespaces: Read-only file system', /older than 4\.9.*VFS_WRITABLE/],
    ['bwrap: setting up uid map: Permission denied', /apparmor_restrict/],
    ['bwrap: Failed to make / slave: Permission denied', /apparmor=unconfined/],
    ['bwrap: Failed to make / slave: Operation not permitted', /a seccomp profile forbids mounts/],
    ['bwrap: Failed to make / slave: Function not implemented', /a seccomp profile forbids mounts/],
    ["bwrap: Can't find source path /root/x/in: Permission denied", /o\+x/],
  ] as const) {
    const failing = selfTest(saying(said), work, work)
    await t.rejects(failing, { name: 'StartError', message: remedy })
    await t.rejects(selfTest(saying(said), work, work), { message: said })
    await t.rejects(selfTest(saying(said), work, work), { message: /sandbox: none/ })
  }
  await t.rejects(selfTest(saying('may open sockets of family 2', 'done'), work, work), { message: /what it must not/ })
})

t.test('a closed folder', { skip: process.getuid?.() !== 0 && 'needs root' }, async (t) => {
  const closed = join(await folderOf(t), 'closed')
  await mkdir(closed, { mode: 0o700 })
  await t.rejects(createSandboxes(settings(join(closed, 'data')), console as never), {
    name: 'StartError',
    message: /cannot reach the data folder/,
  })
  for (const path of [closed, join(closed, 'data')]) await chmod(path, 0o711)
  await (await createSandboxes(settings(join(closed, 'data')), console as never)).close()
})

t.test('the user of engines', async (t) => {
  const folder = await folderOf(t)
  const passwd = (...lines: string[]) => makeSource(folder, lines.join('\n'), 'passwd')
  const nobody = 'nobody:x:65534:65534::/:/bin/false'
  t.equal(unprivilegedUser(1000), undefined)
  t.same(unprivilegedUser(0, await passwd('root:x:0:0::/root:/bin/sh', nobody)), { uid: 65534, gid: 65534 })
  t.same(unprivilegedUser(0, await passwd(nobody, 'athanor:x:990:991::/:/bin/false')), { uid: 990, gid: 991 })
  const root = 'root:x:0:0::/root:/bin/sh'
  const maps = async (text: string, name: string) => {
    const map = await makeSource(folder, text, name)
    return { uid: map, gid: map }
  }
  const alone = await maps('         0       1000          1\n', 'alone')
  const both = await maps('         0       1000          1\n     65534     100000          1\n', 'both')
  const users = await passwd(root, nobody)
  const message = /^The service runs as root of a user namespace without the engines' user \(UID 65534, GID 65534\)\./
  t.throws(() => unprivilegedUser(0, users, alone), { name: 'StartError', message })
  t.same(unprivilegedUser(0, users, both), { uid: 65534, gid: 65534 })
  const none = await passwd(root)
  t.throws(() => unprivilegedUser(0, none), { name: 'StartError' })
})
