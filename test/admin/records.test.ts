/** Admin commands that show and remove records, next to a running service. */
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import t, { type Test } from 'tap'
import { openDatabase } from '../../kernel/database/database.ts'
import { readBatch } from '../../kernel/database/tables/batches.ts'
import { logOptions } from '../../kernel/log.ts'
import { admin as runAdmin } from '../harness/inside.ts'
import { pluginsOf } from '../harness/program.ts'
import { convert, form, get, post, STUB, serviceOf, start, upload } from '../harness/service.ts'
import { until } from '../harness/until.ts'
import { acceptAll, makeKey, PASSWORD, signUp } from '../http/people.ts'

const stub = `plugins: ${JSON.stringify(pluginsOf('stub'))}\n`
const folder = t.testdir({
  'athanor.yaml': `${stub}sandbox: none\ntools: { disabled: [optimize-stub] }\n`,
  'typo.yaml': 'plans: { guest: { conversionPerDay: 1 } }\n',
  'home.yaml': `${stub}profile: home\n`,
  'tool.yaml': `${stub}tools: { disabled: [stub-to-bost] }\n`,
  'secret.yaml': `${stub}sandbox: none\nmetrics: { token: open sesame 1234 }\nqueue: { capacity: 7 }\n`,
})
const service = await serviceOf(t)

const place = { DATA_DIR: service.dataDir, CONFIG_FILE: join(folder, 'athanor.yaml') }
const admin = (...args: string[]) => runAdmin(place, ...args)
const asked = async (...args: string[]) => JSON.parse((await admin(...args, '--json')).stdout)

t.test('conversion show: the engines that ran, their arguments and their output', async (t) => {
  const { conversion } = await convert(service, { fileName: 'Diary.stub', options: { fail: 'refuse', sleep: 50 } })
  await until(() => !service.kernel.scheduler.has(conversion.id))
  const shown = await asked('conversion', 'show', conversion.id)
  t.match(shown, {
    id: conversion.id,
    status: 'failed',
    pair: 'stub>bust',
    options: { fail: 'refuse', sleep: 50 },
    error: { code: 'CONVERSION_ERROR' },
    runs: [{ engine: 'scribe', exit: 1, said: ['10%'] }],
  })
  t.match(shown.runs[0].args.join(' '), /file\.stub .*file\.bust .*"fail":"refuse"/)
  t.equal(shown.runs[0].said.at(-1), 'refused: The stub was asked to fail')
  t.match(await admin('conversion', 'show', conversion.id), {
    code: 0,
    stdout: /^scribe: exit code 1 after [\s\S]*> refused: The stub was asked to fail/m,
  })
  t.match(await admin('conversion', 'show', 'conv_none'), { code: 2, stderr: /There is no conversion conv_none/ })
  const shownToAll = (await get(service, `/api/conversions/${conversion.id}`)).body.toString()
  t.notMatch(shownToAll, /10%|scribe|file\.stub/, 'the interface shows none of it')
})

t.test('conversion list and cancel: what waits, runs and failed today, of all owners or one', async (t) => {
  const person = await signUp(service, 'pro')
  const { id } = await start(service, { options: { sleep: 120_000 } }, person.session)
  const { conversion: failed } = await convert(service, { options: { fail: 'refuse' } })
  await convert(service)
  await until(() => service.kernel.scheduler.running() === 1)
  const all = await asked('conversion', 'list')
  t.match(
    all.find((one: any) => one.id === id),
    { status: 'processing', pair: 'stub>bust', owner: person.id },
  )
  t.match(
    all.find((one: any) => one.id === failed.id),
    { status: 'failed', detail: /^CONVERSION_ERROR: / },
  )
  t.notOk(all.some(({ status }: any) => status === 'completed'))
  for (const owner of [person.email, person.id])
    t.strictSame(
      (await asked('conversion', 'list', '--owner', owner)).map((one: any) => one.id),
      [id],
    )
  t.match(await admin('conversion', 'list', '--owner', 'no@example.org'), { code: 2, stderr: /there is no account/ })
  t.match((await admin('conversion', 'show', id)).stdout, /It runs now\./)

  t.match(await admin('conversion', 'cancel', id), { code: 0, stdout: `${id} is cancelled.\n` })
  await until(() => service.kernel.scheduler.running() === 0)
  const { json } = await get(service, `/api/conversions/${id}`, person.session)
  t.match(json.conversion.error, { code: 'CANCELLED', message: 'The conversion was cancelled by an administrator' })
  t.match(await admin('conversion', 'cancel', id), { code: 2, stderr: /has already ended: it is failed/ })
  t.match(await admin('conversion', 'cancel', 'conv_none'), { code: 2, stderr: /There is no conversion conv_none/ })
  await until(() => service.log.some(({ msg, conversion }) => msg === 'conversion' && conversion === id))
})

t.test('user usage and reset-quota', async (t) => {
  const person = await signUp(service, 'pro')
  await convert(service, {}, person.session)
  const usage = await asked('user', 'usage', '--email', person.email)
  t.match(usage, { plan: 'pro', conversionsToday: { used: 1, limit: 500 }, bytesToday: { used: STUB.length } })
  const reset = await admin('user', 'reset-quota', '--email', person.email)
  t.match(reset, { code: 0, stdout: /conversionsToday +0 of 500/ })
  t.match((await get(service, '/api/users/me', person.session)).json.usage, { conversionsToday: 0, bytesToday: 0 })
})

t.test('user keys: lists and revokes', async (t) => {
  const person = await signUp(service, 'pro')
  const one = await makeKey(service, person)
  const two = await makeKey(service, person)
  const listed = await asked('user', 'keys', '--email', person.email)
  t.match(listed, [{ id: one.id }, { id: two.id }])
  t.notOk(JSON.stringify(listed).includes(one.key), 'never the key itself')
  const revoke = ['user', 'keys', '--email', person.email, '--revoke', one.id]
  t.match(await admin(...revoke), {
    code: 0,
    stdout: new RegExp(`^Revoked ${one.id} of ${person.email}. Keys that remain:\n${two.id}`),
  })
  t.equal((await get(service, '/api/conversions', one.bySecret)).status, 401)
  t.equal((await get(service, '/api/conversions', two.bySecret)).status, 200)
  t.match(await admin(...revoke), { code: 2, stderr: /has no key/ })
})

t.test('user delete: lists what it deletes, and deletes all of it', async (t) => {
  const person = await signUp(service, 'pro')
  const other = await signUp(service)
  const key = await makeKey(service, person)
  const { file } = (await upload(service, form(STUB), person.session)).json
  const members = [{ email: other.email, role: 'member' }]
  t.equal((await post(service, '/api/teams', { name: 'Crew', members }, person.session)).status, 201)
  await acceptAll(service, other)
  const asking = await admin('user', 'delete', '--email', person.email)
  t.match(asking, { code: 2, stdout: /1 keys, 0 connections, 1 files, 0 conversions, 1 teams/, stderr: /Add --yes/ })
  t.equal((await get(service, '/api/users/me', person.session)).status, 200, 'nothing has happened yet')
  t.match(await admin('user', 'delete', '--email', person.email, '--yes'), { code: 0, stdout: /Deleted\.\n$/ })
  for (const credential of [person.session, key.bySecret]) {
    t.equal((await get(service, '/api/conversions', credential)).status, 401)
  }
  const login = { email: person.email, password: PASSWORD }
  t.equal((await post(service, '/api/auth/login', login)).status, 401)
  t.strictSame((await get(service, '/api/teams', other.session)).json.teams, [], 'its teams go from their members')
  t.equal(await service.kernel.files.lookUp(file.fileId), undefined)
  await service.kernel.files.sweep(Date.now(), 100)
  await until(() => !existsSync(join(service.dataDir, 'files', file.fileId)))
  t.equal((await get(service, '/api/users/me', other.session)).status, 200)
})

t.test('user delete stops running conversions', async (t) => {
  const person = await signUp(service)
  const { file } = (await upload(service, form(STUB), person.session)).json
  const item = { fileId: file.fileId, fileName: 'note.stub', fileSize: file.size, fromFormat: file.format }
  const request = { files: [item], toFormat: 'bust', options: { sleep: 120_000 } }
  const { batchId } = (await post(service, '/api/conversions/batch', request, person.session)).json
  const { scheduler, batches } = service.kernel
  await until(() => scheduler.running() === 1)
  t.match(await admin('user', 'delete', '--email', person.email, '--yes'), { code: 0 })
  await until(() => scheduler.running() === 0)
  await batches.sweep(Date.now(), 100)
  const database = await openDatabase({ url: undefined, dataDir: service.dataDir })
  t.teardown(() => database.destroy())
  t.equal(await readBatch(database, batchId), undefined, 'and its batch is removed')
})

t.test('tool list: engines, and who disabled which tool', async (t) => {
  t.equal((await admin('tool', 'disable', 'bust-to-stb')).code, 0, 'by an alias')
  const tools = await asked('tool', 'list')
  const of = (slug: string) => tools.find((tool: any) => tool.slug === slug)
  t.match(of('stub-to-bust'), { engine: 'scribe', enabled: true, closedBy: null })
  t.match(of('bust-to-stub'), { enabled: false, closedBy: 'administrator' })
  t.match(of('optimize-stub'), { enabled: false, closedBy: 'configuration' })
  t.match((await admin('tool', 'list')).stdout, /^bust-to-stub +scribe +closed by administrator$/m)
})

t.test('audit: all changes, by actor, action, subject and time', async (t) => {
  const all = await asked('audit')
  t.strictSame(
    all.map(({ action }: any) => action),
    ['conversion.cancel', 'user.reset-quota', 'user.revoke-key', 'user.delete', 'user.delete', 'tool.disable'],
  )
  const actions = async (...filter: string[]) => (await asked('audit', ...filter)).map(({ action }: any) => action)
  t.strictSame(await actions('--action', 'user'), ['user.reset-quota', 'user.revoke-key', 'user.delete', 'user.delete'])
  t.strictSame(await actions('--action', 'tool.disable'), ['tool.disable'])
  t.strictSame(await actions('--subject', 'bust-to-stub'), ['tool.disable'])
  t.strictSame(await actions('--actor', 'nobody else'), [])
  t.strictSame(await actions('--since', new Date(Date.now() + 60_000).toISOString()), [])
  t.strictSame(await actions('--limit', '1'), ['tool.disable'], 'the newest')
  t.match(await admin('audit', '--since', 'yesterday'), { code: 2, stderr: /--since: "yesterday" is not a time/ })
  t.match(await admin('audit', '--limit', '0'), { code: 2, stderr: /--limit/ })
})

t.test('config check: like a start', async (t) => {
  t.match(await admin('config', 'check', join(folder, 'athanor.yaml')), { code: 0, stdout: /is valid/ })
  t.match(await admin('config', 'check', join(folder, 'typo.yaml')), {
    code: 78,
    stderr: /typo\.yaml: plans\.guest\.conversionPerDay is unknown: did you mean conversionsPerDay\?/,
  })
  t.match(await admin('config', 'check', join(folder, 'tool.yaml')), { code: 78, stderr: /stub-to-bost/ })
  t.match(await admin('config', 'check', join(folder, 'none.yaml')), { code: 78, stderr: /none\.yaml/ })
  const { stdout } = await admin('config', 'check', join(folder, 'secret.yaml'), '--json')
  t.match(JSON.parse(stdout), { queue: { capacity: 7 }, limits: { memory: 2e9 }, metrics: { token: '(set)' } })
  t.notMatch(stdout, /sesame/)
  const production = { NODE_ENV: 'production', JWT_SECRET: 'x'.repeat(32) }
  const withoutTls = (name: string) => runAdmin({ ...place, ...production }, 'config', 'check', join(folder, name))
  t.match(await withoutTls('athanor.yaml'), { code: 78, stderr: /TRUSTED_PROXIES/ })
  t.match(await withoutTls('home.yaml'), { code: 0, stdout: /is valid/ }, 'at home plain HTTP is served')
  t.match(await admin('config', 'check'), { code: 2, stderr: /expected one file/ })
})

/** A title of the window, a cleared screen (ESC and C1), reversed and hidden text, further lines. */
const HOSTILE = 'a\x1b]0;b\x07\x1b[2J\x9b2J\x7f\u202egpj\u2066\u200b\u{e0041}\u2028\u2029\x85\r\nforged'
const ESCAPED =
  'a\\u001b]0;b\\u0007\\u001b[2J\\u009b2J\\u007f\\u202egpj\\u2066\\u200b\\udb40\\udc41\\u2028\\u2029\\u0085\\u000d\\u000aforged'
const RAW = /[^\n\P{C}]|[\u2028\u2029]|^forged/mu

const command = async (t: Test, ...args: string[]) => {
  const { stdout } = await admin(...args)
  t.notMatch(stdout, RAW, args.slice(0, 2).join(' '))
  return stdout
}

t.test('what users wrote is harmless in a terminal, which obeys control characters', async (t) => {
  const person = await signUp(service, 'pro')
  await makeKey(service, person, { name: HOSTILE })
  const list = ['user', 'keys', '--email', person.email]
  t.ok((await command(t, ...list)).endsWith(`  ${ESCAPED}\n`))
  t.match(JSON.parse(await command(t, ...list, '--json')), [{ name: HOSTILE }], 'JSON keeps the value')
  const { conversion } = await convert(service)
  const database = await openDatabase({ url: undefined, dataDir: service.dataDir })
  t.teardown(() => database.destroy())
  const record = { options: JSON.stringify({ text: HOSTILE }), error_code: 'X', error_message: HOSTILE }
  await database('conversions').where({ id: conversion.id }).update(record)
  const runs = [{ engine: 'scribe', args: [HOSTILE], exit: 0, ms: 1, cpu: 1, memory: 1, said: [HOSTILE] }]
  await database('trails')
    .where({ conversion: conversion.id })
    .update({ runs: JSON.stringify(runs) })
  t.ok((await command(t, 'conversion', 'show', conversion.id)).includes(`\n  > ${ESCAPED}\n`))
  await command(t, 'user', 'set', '--email', person.email, '--name', HOSTILE)
  t.match(JSON.parse(await command(t, 'audit', '--json', '--limit', '1')), [{ details: { name: HOSTILE } }])
  await command(t, 'audit')

  const lines: string[] = []
  const log = pino(logOptions('info'), { write: (line) => void lines.push(line) })
  log.warn({ err: new Error(HOSTILE, { cause: new Error(HOSTILE) }), [HOSTILE]: [HOSTILE] }, HOSTILE)
  t.match(lines, { length: 1, 0: /^[^\n]+\n$/ })
  t.notMatch(lines[0], RAW)
  t.match(JSON.parse(lines[0]!), { msg: HOSTILE, [HOSTILE]: [HOSTILE], err: { message: /gpj/ } })

  const CONFIG_FILE = join(folder, 'hostile.yaml')
  writeFileSync(CONFIG_FILE, JSON.stringify({ [HOSTILE]: 1 }))
  const { code, stderr } = await runAdmin({ CONFIG_FILE }, 'user', 'list')
  t.equal(code, 78)
  t.match(stderr, /is unknown/)
  t.notMatch(stderr, /[^\n\P{C}]|[\u2028\u2029]/u)
})
