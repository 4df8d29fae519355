/** The library against the real service: what its calls leave behind, and who sends them. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import t from 'tap'
import { Athanor, verifyWebhook } from '../../client/athanor.ts'
import { clientTypes, openPlugins } from '../../client/build/options.ts'
import { folderOf } from '../harness/folder.ts'
import { get, STUB, serviceOf } from '../harness/service.ts'

const service = await serviceOf(t)
const stub = () => new Blob([STUB])
const list = async () => (await get(service, '/api/conversions')).json.conversions as any[]

t.test('an abort at any moment leaves no conversion behind', async (t) => {
  const stop = new AbortController()
  const passed: string[] = []
  const athanor = new Athanor({
    url: service.base,
    fetch: async (input, init) => {
      const { pathname } = new URL(String(input))
      passed.push(`${init?.method} ${pathname}`)
      const answer = await fetch(input, init)
      // The start has reached the service, and its answer has not been read.
      if (pathname === '/api/conversions') stop.abort(new Error('enough'))
      return answer
    },
  })
  const error = await athanor
    .convert(stub(), 'bust', { hang: true, fileName: 'a.stub', signal: stop.signal })
    .catch((error) => error)
  t.match(error, { message: 'enough' })
  t.match(await list(), [{ status: 'failed', error: { code: 'CANCELLED' } }])
  t.match(passed, ['POST /api/uploads', 'POST /api/conversions', /^DELETE \/api\/conversions\/conv_/])
  const before = passed.length
  await t.rejects(athanor.convert(stub(), 'bust', { signal: stop.signal, fileName: 'a.stub' }), /enough/)
  t.equal(passed.length, before, 'nothing more is asked')
})

t.test('several files come as they are done, and every request goes through the given fetch', async (t) => {
  const passed: string[] = []
  const athanor = new Athanor({
    url: service.base,
    partsAbove: 0,
    fetch: (input, init) => {
      passed.push(new URL(String(input)).pathname.split('/').slice(0, 4).join('/'))
      return fetch(input, init)
    },
  })
  const slow = { concurrency: 2, sleep: 1500 }
  const ids: string[] = []
  for await (const done of athanor.convertAll([stub(), 'missing.stub', stub()], 'bust', slow)) {
    if ('result' in done) ids.push(done.result.conversion.id)
    else t.match(done, { source: 'missing.stub', error: { code: 'ENOENT' } })
  }
  t.equal(new Set(ids).size, 2)
  const folder = await folderOf(t)
  t.strictSame(await athanor.batch(ids).zip(join(folder, 'all.zip')), { missing: [] })
  t.match((await readFile(join(folder, 'all.zip'))).toString('latin1', 0, 2), 'PK')
  t.equal(await (await athanor.job(ids[0]!).done()).blob().then((blob) => blob.text()), `BUST${STUB.slice(4)}`)
  for (const path of ['/api/uploads/tus', '/api/conversions', '/api/events', '/api/files/conv_']) {
    t.ok(
      passed.some((each) => each.startsWith(path.replace(/conv_$/, ''))),
      path,
    )
  }
})

t.test('verifies webhooks as their own library signs them', async (t) => {
  const secret = `whsec_${Buffer.from('x'.repeat(32)).toString('base64')}`
  const body = JSON.stringify({ type: 'test', timestamp: new Date().toISOString(), data: { id: 'test_1' } })
  const now = new Date()
  const headersAt = (date: Date, id = 'msg_1') => ({
    'webhook-id': id,
    'webhook-timestamp': `${Math.floor(date.getTime() / 1000)}`,
    'webhook-signature': `v1,AAAA ${new Webhook(secret).sign('msg_1', date, body)}`,
  })
  t.match(await verifyWebhook(body, headersAt(now), secret), { type: 'test' })
  t.match(await verifyWebhook(Buffer.from(body), new Headers(headersAt(now)), secret), { type: 'test' })
  const old = new Date(now.getTime() - 600_000)
  for (const [what, headers, text] of [
    ['another body', headersAt(now), body.replace('test_1', 'test_2')],
    ['another id', headersAt(now, 'msg_2'), body],
    ['an old message', headersAt(old), body],
    ['no headers', {}, body],
  ] as const)
    await t.rejects(verifyWebhook(text, headers, secret), Error, what)
})

t.test('the types of targets and options are those of the plugins', async (t) => {
  const written = await readFile(join(import.meta.dirname, '../../client/options.ts'), 'utf8')
  const plain = (text: string) => text.replace(/[\s|]+/g, ' ').replace(/\? /g, '?')
  t.equal(plain(written), plain(clientTypes(await openPlugins())), 'npm run client-types writes them')
})
