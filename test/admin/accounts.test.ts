/** Admin commands about accounts, tools and maintenance, and their effects on a running service. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { startMariaDb } from '../harness/servers/mariadb.ts'
import { get, post, startService, upload } from '../harness/service.ts'
import { bearer, PASSWORD } from '../http/people.ts'

const root = join(import.meta.dirname, '../..')

t.test('on SQLite', (t) => suite(t, undefined))
t.test('on MariaDB', { timeout: 900_000 }, async (t) => {
  await using server = await startMariaDb()
  await suite(t, await server.create('admin'))
})

async function suite(t: Test, databaseUrl: string | undefined) {
  const env: Record<string, string> = databaseUrl ? { DATABASE_URL: databaseUrl } : {}
  await using service = await startService({ env })
  const configuration = join(
    t.testdir({ 'athanor.yaml': `plugins: { ${root}/test/stub-plugin: true }` }),
    'athanor.yaml',
  )

  /** Runs an admin command; resolves to its exit code and output. */
  function admin(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
    const own = { PATH: process.env.PATH, DATA_DIR: service.dataDir, CONFIG_FILE: configuration, ...env }
    return new Promise((resolve) => {
      const child = execFile(
        process.execPath,
        ['kernel/admin.ts', ...args],
        { env: own, cwd: root },
        (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
      )
      child.stdin!.end(`${PASSWORD} by pipe\n`)
    })
  }
  /** Waits for a condition, at most a minute. */
  async function soon(isSo: () => Promise<boolean>, what: string): Promise<void> {
    const until = performance.now() + 60_000
    while (!(await isSo())) {
      if (performance.now() > until) return void t.fail(`${what} within a minute`)
      await delay(50)
    }
    t.pass(what)
  }
  const login = (email: string, password = PASSWORD) => post(service, '/api/auth/login', { email, password })
  const audits = () => service.log.filter((line) => line.audit).map((line) => line.audit as any)

  await t.test('user create, set and list', async (t) => {
    const create = ['user', 'create', '--email', 'Op@example.org', '--password', PASSWORD]
    const made = await admin(...create, '--plan', 'pro', '--name', 'Op', '--json')
    t.match(JSON.parse(made.stdout), {
      id: /^user_/,
      email: 'op@example.org',
      plan: 'pro',
      status: 'active',
      name: 'Op',
    })
    t.match(await admin(...create), { code: 2, stderr: /account with op@example.org already/ })
    const { json } = await login('op@example.org')
    const me = () => get(service, '/api/users/me', bearer(json.token))
    t.equal((await me()).json.user.plan, 'pro')
    t.match(await admin('user', 'set', '--email', 'op@example.org', '--plan', 'business'), {
      code: 0,
      stdout: /business/,
    })
    t.equal((await me()).json.user.plan, 'business', 'at once, in the same session')
    t.equal((await me()).json.limits.apiKeys, 20)
    t.equal((await admin('user', 'set', '--email', 'OP@example.org', '--status', 'suspended')).code, 0)
    t.match(await me(), { status: 403, json: { error: { code: 'FORBIDDEN', message: /suspended/ } } })
    t.equal((await login('op@example.org')).status, 403)
    t.equal((await login('op@example.org', 'wrong wrong')).status, 401, 'who has not the password learns nothing')
    t.equal((await admin('user', 'set', '--email', 'op@example.org', '--status', 'active')).code, 0)
    t.equal((await me()).status, 200)
    t.equal((await admin('user', 'set', '--email', 'op@example.org', '--password', '-')).code, 0)
    t.equal((await me()).status, 401, 'a new password ends sessions')
    t.equal((await login('op@example.org', `${PASSWORD} by pipe`)).status, 200)
    t.match((await admin('user', 'list')).stdout, /^op@example.org +business +active /m)
    const list = JSON.parse((await admin('user', 'list', '--json')).stdout)
    t.match(list, [{ email: 'op@example.org', plan: 'business' }])
    t.notMatch(JSON.stringify(list), /argon2|password/)
  })

  await t.test('commands refuse invalid arguments', async (t) => {
    const refused: [RegExp, ...string[]][] = [
      [/user: missing; expected create, set, list/, 'user'],
      [/"remove" is not allowed; expected create, set, list/, 'user', 'remove'],
      [/--email: missing/, 'user', 'create'],
      [/--email: not allowed/, 'user', 'create', '--email', 'x'],
      [
        /--plan: "gold" is not allowed; expected free, pro, business/,
        'user',
        'set',
        '--email',
        'op@example.org',
        '--plan',
        'gold',
      ],
      [/--plan: "guest"/, 'user', 'create', '--email', 'x@example.org', '--plan', 'guest'],
      [/--status: "gone"/, 'user', 'set', '--email', 'op@example.org', '--status', 'gone'],
      [/--password: .* 8 to 256/, 'user', 'create', '--email', 'x@example.org', '--password', 'short'],
      [/no account with nobody@example.org/, 'user', 'set', '--email', 'nobody@example.org', '--plan', 'pro'],
      [/nothing to change/, 'user', 'set', '--email', 'op@example.org'],
      [/Unknown option '--nosuch'/, 'user', 'list', '--nosuch'],
      [/There is no tool "stub-to-bost". Did you mean stub-to-bust\?/, 'tool', 'disable', 'stub-to-bost'],
      [/one slug/, 'tool', 'enable'],
      [/expected on, off/, 'maintenance', 'maybe'],
    ]
    for (const [message, ...args] of refused)
      t.match(await admin(...args), { code: 2, stderr: message }, args.join(' '))
  })

  await t.test('a disabled tool answers 403 in the running service, and stays listed', async (t) => {
    const { file } = (await upload(service)).json
    const start = () =>
      post(service, '/api/conversions', { fileId: file.fileId, toFormat: 'bust', options: { nosuch: 1 } })
    t.match(await admin('tool', 'disable', 'stub-to-bust'), { code: 0, stdout: 'stub-to-bust is closed.\n' })
    await soon(async () => (await start()).status === 403, 'closed')
    t.equal((await get(service, '/api/tools/stub-to-bust')).json.tool.enabled, false)
    t.match((await get(service, '/api/tools?from=stub&to=bust')).json, { tools: [{ enabled: false }] })
    t.equal((await admin('tool', 'disable', 'stub-to-bust')).code, 0, 'twice is once')
    t.match(await admin('tool', 'enable', 'stub-to-bust', '--json'), {
      code: 0,
      stdout: /{"slug":"stub-to-bust","enabled":true}/,
    })
    await soon(async () => (await start()).json.error.code === 'UNKNOWN_OPTION', 'open again')
    t.equal((await get(service, '/api/tools/stub-to-bust')).json.tool.enabled, true)
  })

  await t.test('maintenance', async (t) => {
    t.match(await admin('maintenance', 'on'), { code: 0, stdout: 'Maintenance is on.\n' })
    await soon(async () => (await get(service, '/api/tools', bearer('none'))).status === 503, 'on, before credentials')
    t.equal((await get(service, '/healthz')).status, 200)
    t.match(await admin('maintenance', 'off', '--json'), { code: 0, stdout: /{"maintenance":false}/ })
    await soon(async () => (await get(service, '/api/tools')).status === 200, 'off')
  })

  await t.test('each change has a line in the audit log, without secrets', async (t) => {
    await soon(async () => audits().length === 10, 'all logged')
    t.strictSame(
      audits().map(({ action, subject }) => `${action} ${subject}`),
      [
        'user.create op@example.org',
        ...Array(4).fill('user.set op@example.org'),
        'tool.disable stub-to-bust',
        'tool.disable stub-to-bust',
        'tool.enable stub-to-bust',
        'maintenance.on service',
        'maintenance.off service',
      ],
    )
    for (const audit of audits()) t.match(audit.actor, /^\w/)
    t.match(audits()[1], { plan: 'business' })
    t.match(audits()[4], { password: 'changed' })
    t.notMatch(JSON.stringify(service.log), PASSWORD)
  })

  await t.test('help', async (t) => {
    for (const name of ['user', 'tool', 'maintenance']) {
      t.match(await admin(name, '--help'), { code: 0, stdout: new RegExp(`Usage: npm run admin -- ${name} .*--json`) })
    }
  })
}
