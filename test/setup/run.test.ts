/** run.sh with a fake program, in a separate checkout in a closed folder. */
import { execFile } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { environmentSchema } from '../../config/environment.ts'

const root = join(import.meta.dirname, '../..')
const isRoot = process.getuid?.() === 0
const program = `import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
const { DATA_DIR, CONFIG_FILE, TLS_CERT } = process.env
writeFileSync(DATA_DIR + '/mine', '')
const asOther = (path) => {
  try {
    return execFileSync('setpriv', ['--reuid=65534', '--regid=65534', '--clear-groups', 'cat', path], { stdio: 'pipe' }) + ''
  } catch (error) { return error.stderr + '' }
}
console.log(JSON.stringify({
  pid: process.pid, node: process.versions.node, cwd: process.cwd(), args: process.argv.slice(2), DATA_DIR, CONFIG_FILE, TLS_CERT,
  files: Object.fromEntries(Object.entries(process.env).filter(([name]) => name.endsWith('_FILE'))),
  ...(process.getuid() === 0 && { other: asOther('engines/aid.txt'), secret: asOther(DATA_DIR + '/mine') }),
}))`

function checkout(t: Test) {
  const folder = t.testdir({ config: {}, kernel: { 'stand-in.mjs': program }, engines: { 'aid.txt': 'for engines' } })
  copyFileSync(join(root, 'config/run.sh'), join(folder, 'config/run.sh'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  chmodSync(folder, 0o700)
  return folder
}

async function run(folder: string, env: Record<string, string> = {}, args: string[] = []) {
  const own = { PATH: process.env.PATH!, ...env }
  const promise = promisify(execFile)('sh', ['config/run.sh', 'kernel/stand-in.mjs', ...args], {
    cwd: folder,
    env: own,
  })
  return { pid: promise.child.pid, ...JSON.parse((await promise).stdout), started: promise.child.pid }
}

t.test('the started process becomes the program, run by Node 24, with unchanged arguments', async (t) => {
  const seen = await run(checkout(t), {}, ['--only', 'a b', '*', ''])
  t.equal(seen.pid, seen.started)
  t.match(seen.node, /^24\./)
  t.strictSame(seen.args, ['--only', 'a b', '*', ''])
})

t.test('relative paths in the environment refer to the working directory', async (t) => {
  const folder = checkout(t)
  const seen = await run(folder, { CONFIG_FILE: 'my.yaml', TLS_CERT: '/etc/c.pem', DATA_DIR: 'my data' })
  t.equal(seen.CONFIG_FILE, join(folder, 'my.yaml'))
  t.equal(seen.TLS_CERT, '/etc/c.pem')
  const files = Object.keys(environmentSchema.properties).filter((name) => name.endsWith('_FILE'))
  t.ok(files.length > 3)
  const given = await run(folder, { ...Object.fromEntries(files.map((name) => [name, 'a b'])), DATA_DIR: 'my data' })
  t.strictSame(given.files, Object.fromEntries(files.map((name) => [name, join(folder, 'a b')])))
  t.ok(statSync(join(folder, 'my data/mine')).isFile())
})

t.test(
  'root: engines’ files can be read in a closed checkout, and data cannot be listed',
  { skip: !isRoot },
  async (t) => {
    const folder = checkout(t)
    mkdirSync(join(folder, 'data'), { mode: 0o700 })
    const seen = await run(folder)
    t.equal(seen.cwd, '/run/athanor/app')
    t.equal(seen.other, 'for engines')
    t.match(seen.secret, 'Permission denied', 'whoever is not the engines’ user does not even pass')
    t.equal(statSync(folder).mode & 0o777, 0o700, 'the checkout stays closed')
    t.equal(statSync(join(folder, 'data')).mode & 0o777, 0o710)
  },
)

t.test('without a second user, the program has no capability of its unit', { skip: !isRoot }, async (t) => {
  const folder = checkout(t)
  chmodSync(folder, 0o755)
  writeFileSync(
    join(folder, 'kernel/main.ts'),
    `import { readFileSync } from 'node:fs'
console.log(process.getuid(), /^CapEff:\\s+(\\w+)/m.exec(readFileSync('/proc/self/status', 'latin1'))[1])`,
  )
  const caps = ['--inh-caps=-all,+setuid,+setgid', '--ambient-caps=+setuid,+setgid']
  const user = ['--reuid=65534', '--regid=65534', '--clear-groups', '--no-new-privs', ...caps]
  const { stdout } = await promisify(execFile)('setpriv', [...user, 'sh', 'config/run.sh', 'kernel/main.ts'], {
    cwd: folder,
    env: { PATH: process.env.PATH!, DATA_DIR: folder },
  })
  t.equal(stdout, '65534 0000000000000000\n')
})
