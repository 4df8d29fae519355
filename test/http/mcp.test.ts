/** The tools for agents over HTTP, by the client of the public SDK. */
import t from 'tap'
import { nextCall } from '../../client/mcp/hints.ts'
import { agentTools } from '../../client/mcp/tools.ts'
import { version } from '../../config/version.ts'
import { STATUS } from '../../kernel/errors.ts'
import { agentOf } from '../harness/agent.ts'
import { ahead } from '../harness/clock.ts'
import { startOrigin } from '../harness/servers/origin.ts'
import { call, get, post, raw, refusal, STUB, serviceOf, start, storedFiles } from '../harness/service.ts'
import { until } from '../harness/until.ts'
import { beside, PRODUCTION, proxied } from './beside.ts'
import { makeKey, signUp } from './people.ts'

const service = await serviceOf(t, {
  change(config) {
    config.plans.guest = { ...config.plans.guest, conversionsPerDay: null, pendingJobs: null, maxFileSize: 10_000 }
    config.imports.allowNetworks = ['127.0.0.1']
  },
})
const guest = await agentOf(service.base, { 'x-guest-fingerprint': 'agent' })
t.teardown(() => guest[Symbol.asyncDispose]())

const put = (url: string, body: string, headers: Record<string, string> = {}) =>
  call(service, 'PUT', new URL(url).pathname + new URL(url).search, { body, headers })

/** Uploads by handle, as an agent does with curl. */
async function hand(name = 'note.stub', bytes = STUB, agent = guest) {
  const { facts } = await agent.use('upload', { fileName: name })
  return { ...facts, sent: await put(facts.uploadUrl, bytes) } as {
    fileId: string
    uploadUrl: string
    sent: Awaited<ReturnType<typeof put>>
  }
}

/**
 * Counts at least as many tokens as language models do: they take common words whole and split others, so a token for
 * each six letters and for each sign is more. For these schemas it gives half as many again as the vocabularies
 * o200k_base and cl100k_base.
 */
const tokensOf = (text: string) =>
  (text.match(/[A-Za-z]+|\d{1,3}|[^A-Za-z\d\s]|\s{2,}/g) ?? [])
    .map((piece) => (/[A-Za-z]/.test(piece) ? Math.ceil(piece.length / 6) : 1))
    .reduce((sum, tokens) => sum + tokens, 0)

t.test('it introduces itself without a credential, in at most five tools and 1,500 tokens', async (t) => {
  await using agent = await agentOf(service.base)
  t.strictSame(agent.client.getServerVersion(), { name: 'athanor', title: 'Athanor', version })
  t.match(agent.client.getInstructions(), /convert/)
  const listed = await agent.client.listTools()
  t.strictSame(
    listed.tools.map(({ name }) => name),
    ['convert', 'formats', 'status', 'result', 'upload'],
  )
  for (const tools of [listed.tools, agentTools(true)]) {
    t.ok(tools.length <= 5)
    const tokens = tokensOf(JSON.stringify({ tools }))
    t.ok(tokens <= 1500 && tokens > 500, `${tokens} tokens`)
  }
  const card = (await get(service, '/.well-known/mcp/server-card.json')).json
  t.match(card, {
    $schema: /server-card/,
    name: /^[A-Za-z0-9.-]+\/[A-Za-z0-9._-]+$/,
    remotes: [{ type: 'streamable-http', url: `${service.base}/mcp` }],
    authentication: { required: false },
  })
  const page = (await get(service, '/llms.txt')).body.toString()
  t.match(page, `${service.base}/mcp`)
  t.match(page, /^# Athanor\n\n> /)
  t.ok(page.length < 4000, 'a page')
})

t.test('an upload by handle becomes a result by link', async (t) => {
  const { fileId, sent } = await hand()
  t.equal(sent.status, 201)
  t.equal(sent.json.file.fileId, fileId, 'the id is the promised one')
  const { facts, link } = await guest.use('convert', { fileId, toFormat: 'bust' })
  t.match(facts, { status: 'completed', fileName: 'note.bust', fileId })
  t.match(link, { name: 'note.bust', mimeType: 'text/x-bust', size: facts.bytes })
  const bytes = await (await fetch(link!.uri)).text()
  t.match(bytes, /^BUST/)
  t.notMatch(JSON.stringify([facts, link]), bytes.slice(5), 'its bytes do not pass through the model')
  for (const tool of ['status', 'result'])
    t.match((await guest.use(tool, { conversionId: facts.conversionId })).link, { name: 'note.bust' }, tool)
  const smaller = await guest.use('convert', { fileId, toFormat: 'stub' })
  t.match(smaller.link?.name, 'note.stub', 'the format of the source means: make it smaller')
})

t.test('a handle takes one file, of its own name, for its owner', async (t) => {
  const before = await storedFiles(service)
  const { uploadUrl, fileId, sent } = await hand('Übung ä.stub')
  t.equal(sent.json.file.originalName, 'Übung ä.stub')
  t.match(fileId, /^uploads\/\d{4}\/\d\d\/\d\d\/[0-9a-f]{32}\/[A-Za-z0-9._-]+\.stub$/)
  const used = refusal(401, 'UNAUTHORIZED', /the tool upload/)
  t.match(await put(uploadUrl, STUB), used, 'not twice')
  const other = await guest.use('upload', { fileName: 'x.stub' })
  const both = await Promise.all([1, 2].map(() => put(other.facts.uploadUrl, STUB)))
  t.strictSame(both.map(({ status }) => status).sort(), [201, 401], 'not at the same time either')
  t.equal(await storedFiles(service), before + 2)
  const late = (await guest.use('upload', { fileName: 'x.stub' })).facts.uploadUrl
  t.match(await ahead(16 * 60_000, () => put(late, STUB)), used, 'expired')
  const odd = (await guest.use('upload', { fileName: '../../etc/x.PASSWD' })).facts
  t.match(odd.fileId, /\/x\.passwd$/)
  t.match(await put(odd.uploadUrl, 'nothing known\0'), refusal(400, 'UNSUPPORTED_FORMAT'))
  t.match(await put(odd.uploadUrl, 'x'.repeat(20_000)), refusal(413, 'FILE_TOO_LARGE'))
  t.match(await put(odd.uploadUrl, STUB), { status: 201 }, 'a refused file does not use it up')
  await until(async () => (await storedFiles(service)) === before + 3)
  await using stranger = await agentOf(service.base, { 'x-guest-fingerprint': 'stranger' })
  t.match((await stranger.use('convert', { fileId, toFormat: 'bust' })).error, /^NOT_FOUND/)
})

t.test('a file at a URL', async (t) => {
  await using origin = await startOrigin((_req, res) => void res.end(STUB))
  const { facts, link } = await guest.use('convert', { url: `${origin.base}/far.stub`, toFormat: 'bust' })
  t.match(link?.name, 'far.bust')
  t.match((await guest.use('convert', { fileId: facts.fileId, toFormat: 'bust' })).link?.name, 'far.bust', 'it is kept')
  t.match(
    (await guest.use('convert', { url: 'http://10.0.0.1/', toFormat: 'bust' })).error,
    /^URL_NOT_ALLOWED.*call upload/,
  )
})

t.test('formats answers from the catalogue', async (t) => {
  t.match((await guest.use('formats')).facts, { targets: { stub: 'stub bust' } })
  t.match((await guest.use('formats', { from: '.STUB' })).facts, { from: 'stub', targets: ['bust', 'stub'] })
  t.match((await guest.use('formats', { to: 'bust' })).facts, { to: 'bust', sources: { stub: 'stub' } })
  const { options } = (await guest.use('formats', { from: 'stub', to: 'bust' })).facts
  t.match(options.sleep, { type: 'integer', minimum: 0, maximum: 600_000, description: /Milliseconds/ })
})

t.test('every error names the next call', async (t) => {
  const { fileId } = await hand()
  const { id } = await start(service, { options: { sleep: 60_000 } }, { 'x-guest-fingerprint': 'agent' })
  const fail = (options: object) => ({ fileId, toFormat: 'bust', options })
  for (const [tool, args, error] of [
    ['convert', {}, /^BAD_REQUEST: The arguments must have required property 'toFormat'.*call convert/],
    ['convert', { toFormat: 'bust' }, /^BAD_REQUEST: Give exactly one of fileId or url/],
    [
      'convert',
      { fileId, toFormat: 'nosuch' },
      /^UNSUPPORTED_FORMAT.*call formats with from .* then convert with fileId/,
    ],
    ['convert', fail({ colour: 1 }), /^UNKNOWN_OPTION.*call formats with from and to/],
    ['convert', fail({ fail: 'encrypted' }), /^ENCRYPTED_INPUT.*without a password.*call upload/],
    ['convert', { fileId: 'uploads/none', toFormat: 'bust' }, /^NOT_FOUND.*call upload/],
    ['status', { conversionId: 'conv_none' }, /^NOT_FOUND.*call convert/],
    ['formats', { from: 'stub', to: 'nosuch' }, /^UNSUPPORTED_FORMAT: stub cannot become nosuch/],
    ['result', { conversionId: id }, /^NOT_COMPLETED.*call status/],
    ['upload', {}, /^BAD_REQUEST.*call upload/],
    ['nosuch', {}, /call one of convert/],
  ] as const) {
    const reply = await guest.use(tool, args)
    t.match(reply.error, error, `${tool} ${JSON.stringify(args)}`)
    t.match(reply.error, /\. Next: .*\b(call|ask|tell)\b.*\.$/)
  }
  for (const code of [...Object.keys(STATUS), 'anything'])
    for (const local of [true, false]) t.match(nextCall(code, { tool: 'convert', local }), /\b(call|ask|tell)\b/, code)
})

t.test('credentials are those of the API', async (t) => {
  const ada = await signUp(service, 'pro')
  const key = await makeKey(service, ada)
  for (const headers of [ada.session, key.bySecret]) {
    await using agent = await agentOf(service.base, headers)
    const { fileId } = await hand('note.stub', STUB, agent)
    t.match((await agent.use('convert', { fileId, toFormat: 'bust' })).facts, { status: 'completed' })
  }
  t.equal((await get(service, '/api/conversions', ada.session)).json.conversions.length, 2)
  await t.rejects(agentOf(service.base, { 'x-api-key': 'wrong' }), /UNAUTHORIZED/, 'a bad one is no guest')
  const team = (await post(service, '/api/teams', { name: 'team' }, ada.session)).json.team.id
  await using member = await agentOf(service.base, { ...ada.session, 'x-team-id': team })
  const { fileId } = await hand('note.stub', STUB, member)
  const { facts } = await member.use('convert', { fileId, toFormat: 'bust' })
  t.match(facts, { status: 'completed' })
  const spare = (await member.use('upload', { fileName: 'x.stub' })).facts.uploadUrl
  await service.kernel.accounts.users.change(ada.id, { status: 'suspended' })
  t.match(await put(spare, STUB), refusal(403, 'FORBIDDEN'), 'a suspended account takes nothing')
})

t.test('tools count as the operations of the API', async (t) => {
  const { rates, plans } = service.kernel.config
  await using busy = await beside(service, {
    ...PRODUCTION,
    rates: {
      ...rates,
      conversions: { perMinute: 2, perHour: null },
      uploads: { perMinute: 1, perHour: null },
    },
    plans: { ...plans, guest: { ...plans.guest, requestsPerMinute: 1 } },
  })
  await using agent = await agentOf(busy.base, proxied('192.0.2.7'))
  const convert = () => agent.use('convert', { fileId: 'uploads/none', toFormat: 'bust' })
  const upload = () => agent.use('upload', { fileName: 'x.stub' })
  const fetched = () => agent.use('convert', { url: 'http://10.0.0.1/', toFormat: 'bust' })
  const limited = (what: string) => new RegExp(`^RATE_LIMITED: At most \\d ${what}.*call \\w+ again in \\d+ seconds`)
  for (const [use, what] of [
    [convert, 'conversions'],
    [upload, 'API requests'],
    [fetched, 'uploads and imports'],
  ] as const) {
    t.notMatch((await use()).error, /RATE_LIMITED/)
    if (use === convert) await use()
    t.match((await use()).error, limited(what))
  }
  t.match((await agent.use('formats')).facts, { targets: {} }, 'lists cost nothing')
  const code = (entry: Record<string, unknown>) => entry.route === '/mcp' && entry.code === 'RATE_LIMITED'
  t.ok(service.log.some(code), 'the log has the refusals')
})

t.test('pages of other sites, foreign names and maintenance are refused', async (t) => {
  const hello = { jsonrpc: '2.0', id: 1, method: 'ping' }
  const accept = { accept: 'application/json, text/event-stream' }
  t.match(await post(service, '/mcp', hello, { ...accept, origin: 'https://evil.example' }), refusal(403, 'FORBIDDEN'))
  const body = JSON.stringify(hello)
  const rebound = `POST /mcp HTTP/1.1\r\nHost: evil.example\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  t.match(await raw(service.port, rebound), { status: 421, json: { error: { code: 'MISDIRECTED_REQUEST' } } })
  t.match(await post(service, '/mcp', hello, accept), { status: 200, json: { id: 1, result: {} } })
  t.match(await post(service, '/mcp', hello), { status: 200 }, 'whatever the client accepts')
  service.kernel.settings.maintenance = true
  t.match(await post(service, '/mcp', hello, accept), refusal(503, 'MAINTENANCE_MODE'))
  service.kernel.settings.maintenance = false
})

t.test('what is no message of the protocol is refused', async (t) => {
  const accept = { accept: 'application/json, text/event-stream' }
  const bad = (message: RegExp) => refusal(400, 'BAD_REQUEST', message)
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  t.match(await post(service, '/mcp', Array(1000).fill(list), accept), bad(/one JSON-RPC message/), 'a list of calls')
  t.match(await post(service, '/mcp', {}, accept), bad(/Invalid JSON-RPC/))
  t.match(await post(service, '/mcp', list, { ...accept, 'mcp-protocol-version': '1999' }), bad(/protocol version/))
  t.match(await post(service, '/mcp', { ...list, method: 'nosuch' }, accept), { json: { error: { code: -32_601 } } })
  for (const method of ['GET', 'DELETE'])
    t.match(await call(service, method, '/mcp'), refusal(405, 'METHOD_NOT_ALLOWED'), `there is no stream: ${method}`)
})

t.test('an operator can close it', async (t) => {
  await using closed = await beside(service, { doors: { ...service.kernel.config.doors, agents: false } })
  t.match(await post(closed, '/mcp', {}), refusal(404, 'NOT_FOUND'))
  for (const path of ['/llms.txt', '/.well-known/mcp/server-card.json']) t.equal((await get(closed, path)).status, 404)
})
