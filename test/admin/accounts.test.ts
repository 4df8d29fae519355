/** Admin commands about accounts, tools and maintenance, and their effects on a running service. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import t from 'tap'
import { admin as runAdmin } from '../harness/inside.ts'
import { pluginsOf } from '../harness/program.ts'
import { get, post, refusal, serviceOf, upload } from '../harness/service.ts'
import { until } from '../harness/until.ts'
import { bearer, PASSWORD } from '../http/people.ts'

const root = join(import.meta.dirname, '../..')

const service = await serviceOf(t)
const folder = t.testdir({ 'athanor.yaml': JSON.stringify({ plugins: pluginsOf('stub') }) })
const { databaseUrl } = service.kernel.config
const env = {
  DATA_DIR: service.dataDir,
  CONFIG_FILE: join(folder, 'athanor.yaml'),
  ...(databaseUrl && { DATABASE_URL: databaseUrl }),
}
const admin = (...args: string[]) => runAdmin(env, ...args)
const login = (email: string, password = PASSWORD) => post(service, '/api/auth/login', { email, password })
const audits = () => service.log.filter((line) => line.audit).map((line) => line.audit as any)

t.test('user create, set and list', async (t) => {
  const create = ['user', 'create', '--email', 'Op@example.org', '--password', PASSWORD]
  const made = await admin(...create, '--plan', 'pro', '--name', 'Op', '--json')
  t.match(JSON.parse(made.stdout), { id: /^user_/, email: 'op@example.org', plan: 'pro', status: 'active', name: 'Op' })
  t.match(await admin(...create), { code: 2, stderr: /account with op@example.org already/ })
  const { json } = await login('op@example.org')
  const me = () => get(service, '/api/users/me', bearer(json.token))
  t.equal((await me()).json.user.plan, 'pro')
  const raised = await admin('user', 'set', '--email', 'op@example.org', '--plan', 'business')
  t.match(raised, { code: 0, stdout: /business/ })
  t.equal((await me()).json.user.plan, 'business', 'at once, in the same session')
  t.equal((await me()).json.limits.apiKeys, 20)
  t.equal((await admin('user', 'set', '--email', 'OP@example.org', '--status', 'suspended')).code, 0)
  t.match(await me(), refusal(403, 'FORBIDDEN', /suspended/))
  t.equal((await login('op@example.org')).status, 403)
  t.equal((await login('op@example.org', 'wrong wrong')).status, 401, 'who has not the password learns nothing')
  t.equal((await admin('user', 'set', '--email', 'op@example.org', '--status', 'active')).code, 0)
  t.equal((await me()).status, 200)
  const byPipe = ['kernel/admin.ts', 'user', 'set', '--email', 'op@example.org', '--password', '-']
  const variables = { ...env, PATH: process.env.PATH }
  const { status } = spawnSync(process.execPath, byPipe, { cwd: root, env: variables, input: `${PASSWORD} by pipe\n` })
  t.equal(status, 0)
  t.equal((await me()).status, 401, 'a new password ends sessions')
  t.equal((await login('op@example.org', `${PASSWORD} by pipe`)).status, 200)
  t.match((await admin('user', 'list')).stdout, /^op@example.org +business +active /m)
  const list = JSON.parse((await admin('user', 'list', '--json')).stdout)
  t.match(list, [{ email: 'op@example.org', plan: 'business' }])
  t.notMatch(JSON.stringify(list), /argon2|password/)
})

t.test('user set --verified vouches for the address of somebody who registered', async (t) => {
  const { users } = service.kernel.accounts
  const { json } = await post(service, '/api/auth/register', { email: 'ada@example.org', password: PASSWORD })
  t.notOk((await users.byId(json.user.id))!.verified)
  t.equal((await admin('user', 'set', '--email', 'ada@example.org', '--verified')).code, 0)
  t.ok((await users.byId(json.user.id))!.verified)
  t.equal((await get(service, '/api/users/me', bearer(json.token))).status, 200, 'sessions go on')
})

t.test('commands refuse invalid arguments', async (t) => {
  const refused: [RegExp, ...string[]][] = [
    [/user: missing; expected create, set, list/, 'user'],
    [/--email: missing/, 'user', 'create'],
    [/--email: not allowed/, 'user', 'create', '--email', 'x'],
    [/--plan: "guest"/, 'user', 'create', '--email', 'x@example.org', '--plan', 'guest'],
    [/--password: .* 8 to 256/, 'user', 'create', '--email', 'x@example.org', '--password', 'short'],
    [/no account with nobody@example.org/, 'user', 'set', '--email', 'nobody@example.org', '--plan', 'pro'],
    [/nothing to change/, 'user', 'set', '--email', 'op@example.org'],
    [/There is no tool "stub-to-bost". Did you mean stub-to-bust\?/, 'tool', 'disable', 'stub-to-bost'],
    [/one slug/, 'tool', 'enable'],
    [/expected on, off/, 'maintenance', 'maybe'],
  ]
  for (const [message, ...args] of refused) t.match(await admin(...args), { code: 2, stderr: message }, args.join(' '))
})

t.test('a disabled tool answers 403 in the running service, and stays listed', async (t) => {
  const { file } = (await upload(service)).json
  const start = () =>
    post(service, '/api/conversions', { fileId: file.fileId, toFormat: 'bust', options: { nosuch: 1 } })
  t.match(await admin('tool', 'disable', 'stub-to-bust'), { code: 0, stdout: 'stub-to-bust is closed.\n' })
  await until(async () => (await start()).status === 403)
  t.equal((await get(service, '/api/tools/stub-to-bust')).json.tool.enabled, false)
  const opened = await admin('tool', 'enable', 'stub-to-bust', '--json')
  t.match(opened, { code: 0, stdout: /{"slug":"stub-to-bust","enabled":true}/ })
  await until(async () => (await start()).json.error.code === 'UNKNOWN_OPTION')
})

t.test('a pattern disables all tools that it matches', async (t) => {
  const enabled = async () => (await get(service, '/api/tools/stub-to-bust')).json.tool.enabled
  t.match(await admin('tool', 'disable', 'stub-to-*'), { code: 0, stdout: /^stub-to-\* is closed \(0 of \d+ tools/ })
  await until(async () => !(await enabled()))
  const list = JSON.parse((await admin('tool', 'list', '--json')).stdout)
  t.match(
    list.find(({ slug }: any) => slug === 'stub-to-bust'),
    { enabled: false, closedBy: 'administrator' },
  )
  const alone = await admin('tool', 'enable', 'stub-to-bust')
  t.match(alone, { code: 0, stdout: 'stub-to-bust is closed by stub-to-*: enable that.\n' })
  t.match(await admin('tool', 'enable', 'stub-to-*'), { code: 0, stdout: /^stub-to-\* is open/ })
  await until(enabled)
  t.match(await admin('tool', 'disable', 'stub-to-x*'), { code: 2, stderr: /There is no tool "stub-to-x\*"/ })
})

t.test('maintenance', async (t) => {
  t.match(await admin('maintenance', 'on'), { code: 0, stdout: 'Maintenance is on.\n' })
  await until(async () => (await get(service, '/api/tools', bearer('none'))).status === 503)
  t.equal((await get(service, '/healthz')).status, 200)
  t.match(await admin('maintenance', 'off', '--json'), { code: 0, stdout: /{"maintenance":false}/ })
  await until(async () => (await get(service, '/api/tools')).status === 200)
})

t.test('each change has a line in the audit log, without secrets', async (t) => {
  await until(async () => audits().length === 13)
  t.strictSame(
    audits().map(({ action, subject }) => `${action} ${subject}`),
    [
      'user.create op@example.org',
      ...Array(4).fill('user.set op@example.org'),
      'user.set ada@example.org',
      'tool.disable stub-to-bust',
      'tool.enable stub-to-bust',
      'tool.disable stub-to-*',
      'tool.enable stub-to-bust',
      'tool.enable stub-to-*',
      'maintenance.on service',
      'maintenance.off service',
    ],
  )
  for (const audit of audits()) t.match(audit.actor, /^\w/)
  t.match(audits()[1], { plan: 'business' })
  t.match(audits()[4], { password: 'changed' })
  t.match(audits()[5], { verified: true })
  t.notMatch(JSON.stringify(service.log), PASSWORD)
})
