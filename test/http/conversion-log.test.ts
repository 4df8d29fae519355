/** What the log, and the admin command, tell about each conversion. */
import t from 'tap'
import { openDatabase } from '../../kernel/database/database.ts'
import { readTrail } from '../../kernel/jobs/work.ts'
import { call, convert, get, start, startService } from '../harness/service.ts'
import { until } from '../harness/until.ts'

const service = await startService()
const database = await openDatabase({ url: undefined, dataDir: service.dataDir })
t.teardown(async () => {
  await database.destroy()
  await service[Symbol.asyncDispose]()
})

/** Returns the log lines about a conversion's end, once there is one. */
async function linesOf(id: string): Promise<any[]> {
  const lines = () => service.log.filter(({ msg, conversion }) => msg === 'conversion' && conversion === id)
  await until(() => lines().length > 0)
  return lines()
}
/** Returns the only log line about a conversion's end, after everything that could write another. */
async function lineOf(id: string): Promise<any> {
  await linesOf(id)
  await until(() => !service.kernel.scheduler.has(id))
  const lines = await linesOf(id)
  t.equal(lines.length, 1, `one line for ${id}`)
  return lines[0]
}
const ended = async (id: string) => (await get(service, `/api/conversions/${id}?wait=30`)).json.conversion

t.test('a completed conversion', async (t) => {
  const { id, file } = await start(service, { fileName: 'Diary of Ms Roe.stub', options: { memory: 80, sleep: 300 } })
  const { outputSize } = await ended(id)
  const line = await lineOf(id)
  t.match(line, {
    level: 30,
    conversion: id,
    owner: 'guest',
    pair: 'stub>bust',
    engines: ['scribe'],
    status: 'completed',
    sourceBytes: file.size,
    resultBytes: outputSize,
    attempts: 1,
  })
  t.ok(line.waited >= 0 && line.ran >= 300, `waited ${line.waited} ms, ran ${line.ran} ms`)
  t.ok(line.cpu >= 0.02 && line.cpu < 10, `used ${line.cpu} s`)
  t.ok(line.memory >= 80e6 && line.memory < 1e9, `held ${line.memory} bytes`)
  t.notOk('said' in line, 'the lines of engines are for failures')
  t.notMatch(JSON.stringify(line), /Diary|Roe|guest_/, 'nothing of whose it is')
})

t.test('its lines have the id of the request that started it', async (t) => {
  const named = (name: string) => ({ 'x-request-id': name })
  const { id } = await start(service, { options: { fail: 'crash' } }, named('starts-it'))
  await ended(id)
  t.match(await lineOf(id), { requestId: 'starts-it' })
  const others = service.log.filter((line) => line.conversion === id && line.requestId !== 'starts-it')
  t.strictSame(others, [])
})

t.test('waiting time and run time are logged separately', async (t) => {
  // One owner can run one heavy conversion at a time.
  const heavy = { options: { sleep: 500, heavy: true } }
  const ids = [(await start(service, heavy)).id, (await start(service, heavy)).id]
  for (const id of ids) await ended(id)
  const [first, last] = await Promise.all(ids.map(lineOf))
  t.ok(last.waited >= 400 && last.waited > first.waited, `the last waited ${last.waited} ms`)
  t.ok(first.ran >= 500 && last.ran >= 500)
})

t.test("a failed conversion logs the engine's exit and output", async (t) => {
  const { conversion } = await convert(service, { options: { fail: 'refuse' } })
  const line = await lineOf(conversion.id)
  t.match(line, { level: 30, status: 'failed', code: 'CONVERSION_ERROR', exit: 1, engines: ['scribe'] })
  t.match(line.said.at(-1), /\w/)
  t.notOk('resultBytes' in line)
  t.notMatch(JSON.stringify(conversion), /exit|said/, 'the log alone')
  const crash = await convert(service, { options: { fail: 'crash' } })
  t.match(await lineOf(crash.conversion.id), { status: 'failed', signal: /^SIG/, said: [] })
})

t.test('a conversion that never ran', async (t) => {
  const running = await start(service, { options: { hang: true, heavy: true } })
  const { id } = await start(service, { options: { heavy: true } })
  for (const each of [id, running.id]) await call(service, 'DELETE', `/api/conversions/${each}`)
  t.match(await lineOf(id), { status: 'failed', code: 'CANCELLED', ran: 0, engines: [] })
})

t.test('the engines that ran are stored and deleted with the record', async (t) => {
  const { conversion } = await convert(service, { options: { fail: 'refuse' } })
  await lineOf(conversion.id)
  const [run] = (await readTrail(database, conversion.id))!
  t.match(run, { engine: 'scribe', exit: 1, args: { 1: /file\.stub$/, 2: /file\.bust$/, 6: /"fail":"refuse"/ } })
  t.match(run!.said.at(-1), /\w/)
  t.equal((await call(service, 'DELETE', `/api/conversions/${conversion.id}`)).status, 204)
  t.equal(await readTrail(database, conversion.id), undefined)
})
