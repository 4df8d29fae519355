/** A plugin in which every function throws: its jobs fail, the log says why, and nothing else is affected. */
import { join } from 'node:path'
import t from 'tap'
import { ways } from '../faulty-plugin/index.ts'
import { installation } from '../harness/installation.ts'

const folder = (name: string) => join(import.meta.dirname, '..', name)
const config = { plugins: { [folder('stub-plugin')]: true, [folder('faulty-plugin')]: true } }

t.test('an error in a plugin or an engine fails only its own job', async (t) => {
  const { live } = await installation(t)
  const service = await live(config)
  const { fileId } = await service.upload('FLT\ntext', 'a.flt')
  const stub = await service.upload('STUB\ntext', 'a.stub')
  const said = (conversion: string) =>
    service
      .log()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line))
      .filter((line) => line.conversion === conversion)

  const beside = await service.start(stub.fileId, 'bust', { sleep: 5000 })
  for (const [name, { engine }] of Object.entries(ways)) {
    const id = await service.start(fileId, name)
    const error = { code: 'INTERNAL_SERVER_ERROR', message: /unexpected reason/ }
    t.match(await service.finish(id), { status: 'failed', error }, name)
    const hook = /^(progress|reason|argv|args|convert)/.exec(name)![0]
    t.match(said(id), [{ plugin: 'faulty', engine: engine.name, hook }], `${name}: the log names it`)
  }
  t.match(await service.finish(beside), { status: 'completed' }, "another's conversion goes on")

  for (const heavy of ['throw', 'reject']) {
    const refused = await service.call('POST', '/api/conversions', { fileId, toFormat: 'odd', options: { heavy } })
    t.match(refused, { status: 500, json: { error: { code: 'INTERNAL_SERVER_ERROR' } } }, `heavy: ${heavy}`)
  }
  for (const format of ['sniffed', 'sniffedlater']) {
    const line = `"plugin":"faulty","hook":"sniff","format":"${format}"`
    t.ok(service.log().includes(line), `${format}: the log names a sniffer that breaks, and the upload goes on`)
  }
  const odd = await service.finish(await service.start(fileId, 'odd'))
  t.match(odd, { status: 'completed', progress: 100 }, 'progress that is no number is no progress')
  const { json } = await service.call('GET', '/api/conversions?status=processing')
  t.same(json.conversions, [])
  t.equal(await service.end('SIGTERM'), 0)
})
