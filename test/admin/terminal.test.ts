/** What users wrote, in an operator's terminal: a terminal obeys control characters. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import t, { type Test } from 'tap'
import { openDatabase } from '../../kernel/database/database.ts'
import { logOptions } from '../../kernel/log.ts'
import { run } from '../boot/program.ts'
import { folderOf } from '../harness/folder.ts'
import { admin } from '../harness/inside.ts'
import { convert, post, serviceOf } from '../harness/service.ts'
import { makeKey, PASSWORD, signUp } from '../http/people.ts'

/** A title of the window, a cleared screen (ESC and C1), reversed and hidden text, further lines. */
const HOSTILE = 'a\x1b]0;b\x07\x1b[2J\x9b2J\x7f\u202egpj\u2066\u200b\u{e0041}\u2028\u2029\x85\r\nforged'
const ESCAPED =
  'a\\u001b]0;b\\u0007\\u001b[2J\\u009b2J\\u007f\\u202egpj\\u2066\\u200b\\udb40\\udc41\\u2028\\u2029\\u0085\\u000d\\u000aforged'
const RAW = /[^\n\P{C}]|[\u2028\u2029]|^forged/mu

const service = await serviceOf(t)
const command = async (t: Test, ...args: string[]) => {
  const { stdout } = await admin({ DATA_DIR: service.dataDir }, ...args)
  t.notMatch(stdout, RAW, args.slice(0, 2).join(' '))
  return stdout
}

t.test('names of keys and accounts', async (t) => {
  const person = await signUp(service, 'pro')
  await makeKey(service, person, { name: HOSTILE })
  const list = ['user', 'keys', '--email', person.email]
  t.ok((await command(t, ...list)).endsWith(`  ${ESCAPED}\n`))
  t.match(JSON.parse(await command(t, ...list, '--json')), [{ name: HOSTILE }], 'JSON keeps the value')
  await post(service, '/api/auth/register', { email: 'mallory@example.org', password: PASSWORD, name: HOSTILE })
  const accounts = JSON.parse(await command(t, 'user', 'list', '--json'))
  t.equal(accounts.find(({ email }: any) => email === 'mallory@example.org').name, HOSTILE)
})

t.test('records of a conversion, and of changes', async (t) => {
  const { conversion } = await convert(service)
  const database = await openDatabase({ url: undefined, dataDir: service.dataDir })
  t.teardown(() => database.destroy())
  const options = JSON.stringify({ text: HOSTILE })
  await database('conversions')
    .where({ id: conversion.id })
    .update({ options, error_code: 'X', error_message: HOSTILE })
  const runs = [{ engine: 'scribe', args: [HOSTILE], exit: 0, ms: 1, cpu: 1, memory: 1, said: [HOSTILE] }]
  await database('trails')
    .where({ conversion: conversion.id })
    .update({ runs: JSON.stringify(runs) })
  const shown = await command(t, 'conversion', 'show', conversion.id)
  t.ok(shown.includes(`\n  > ${ESCAPED}\n`), 'the last lines of an engine')
  const { error, runs: told } = JSON.parse(await command(t, 'conversion', 'show', conversion.id, '--json'))
  t.strictSame([error.message, told[0].said], [HOSTILE, [HOSTILE]])
  await command(t, 'user', 'set', '--email', 'mallory@example.org', '--name', HOSTILE)
  t.match(JSON.parse(await command(t, 'audit', '--json')), [{ details: { name: HOSTILE } }])
  await command(t, 'audit')
})

t.test('lines of the log', async (t) => {
  const lines: string[] = []
  const log = pino(logOptions('info'), { write: (line) => void lines.push(line) })
  log.warn({ err: new Error(HOSTILE, { cause: new Error(HOSTILE) }), [HOSTILE]: [HOSTILE] }, HOSTILE)
  t.equal(lines.length, 1)
  t.match(lines[0], /^[^\n]+\n$/)
  t.notMatch(lines[0], RAW)
  t.match(JSON.parse(lines[0]!), { msg: HOSTILE, [HOSTILE]: [HOSTILE], err: { message: /gpj/ } })
})

t.test('a message of a start or a command that failed', async (t) => {
  const CONFIG_FILE = join(await folderOf(t), 'athanor.yaml')
  writeFileSync(CONFIG_FILE, JSON.stringify({ [HOSTILE]: 1 }))
  for (const program of [['kernel/main.ts'], ['kernel/admin.ts', 'user', 'list']]) {
    const { code, stderr } = await run(t, [process.execPath, ...program], { CONFIG_FILE }).ended()
    t.equal(code, 78)
    t.match(stderr, /is unknown/)
    t.notMatch(stderr, /[^\n\P{C}]|[\u2028\u2029]/u, program[0]!)
  }
})
