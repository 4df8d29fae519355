/** The tools for agents on standard input and output, by the client of the public SDK. */
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import t from 'tap'
import { program } from '../cli/command.ts'
import { agentOf } from '../harness/agent.ts'
import { folderOf } from '../harness/folder.ts'
import { startOrigin } from '../harness/servers/origin.ts'
import { get, STUB, serviceOf } from '../harness/service.ts'
import { until } from '../harness/until.ts'

const service = await serviceOf(t, {
  change(config) {
    config.plans.guest = { ...config.plans.guest, conversionsPerDay: null, pendingJobs: null }
    config.imports.allowNetworks = ['127.0.0.1']
  },
})

/** Starts the program for some folders, as an agent does. */
const connect = (folders: string[], url = service.base) =>
  agentOf(
    new StdioClientTransport({
      command: program,
      args: ['mcp', ...folders],
      env: { PATH: process.env.PATH!, ATHANOR_URL: url },
      stderr: 'ignore',
    }),
  )

t.test('a file by its path becomes a file beside it', async (t) => {
  const folder = await folderOf(t)
  await writeFile(join(folder, 'note.stub'), STUB)
  await using agent = await connect([folder])
  const { tools } = await agent.client.listTools()
  t.strictSame(
    tools.map(({ name }) => name),
    ['convert', 'formats', 'status', 'result'],
    'files need no upload',
  )
  const path = join(folder, 'note.stub')
  const { facts, link } = await agent.use('convert', { path, toFormat: 'bust' })
  t.match(facts, { status: 'completed', fileName: 'note.bust' })
  t.equal(fileURLToPath(link!.uri), join(folder, 'note.bust'))
  t.match(await readFile(join(folder, 'note.bust'), 'utf8'), /^BUST/)
  const second = await agent.use('convert', { path, toFormat: 'bust' })
  t.equal(fileURLToPath(second.link!.uri), join(folder, 'note (2).bust'), 'nothing is overwritten')
  const { conversionId } = facts
  const named = await agent.use('result', { conversionId, saveAs: join(folder, 'my result #1.bust') })
  t.equal(fileURLToPath(named.link!.uri), join(folder, 'my result #1.bust'))
  t.match((await agent.use('status', { conversionId })).facts, { status: 'completed', next: /call result/ })
  t.match((await agent.use('formats', { from: 'stub', to: 'bust' })).facts, { options: { sleep: {} } })
  await using origin = await startOrigin((_req, res) => void res.end(STUB))
  const far = await agent.use('convert', { url: `${origin.base}/far.stub`, toFormat: 'bust' })
  t.equal(fileURLToPath(far.link!.uri), join(folder, 'far.bust'))
  t.strictSame(
    (await readdir(folder)).filter((name) => name.endsWith('.part')),
    [],
  )
})

t.test('files outside the folders stay where they are', async (t) => {
  const folder = await folderOf(t)
  const outside = await folderOf(t)
  await writeFile(join(outside, 'secret.stub'), STUB)
  await mkdir(join(folder, 'sub'))
  await writeFile(join(folder, 'sub', 'note.stub'), STUB)
  await symlink(join(outside, 'secret.stub'), join(folder, 'link.stub'))
  await symlink(outside, join(folder, 'way'))
  await using agent = await connect([folder])
  const note = join(folder, 'sub', 'note.stub')
  const to = (saveAs: string) => ({ path: note, toFormat: 'bust', saveAs })
  for (const [args, error] of [
    [{ path: join(outside, 'secret.stub'), toFormat: 'bust' }, /^PATH_NOT_ALLOWED.*allowed folder/],
    [{ path: join(folder, 'link.stub'), toFormat: 'bust' }, /^PATH_NOT_ALLOWED/],
    [{ path: `${folder}/sub/../../${outside.split('/').at(-1)}/secret.stub`, toFormat: 'bust' }, /^PATH_NOT_ALLOWED/],
    [to(join(outside, 'x.bust')), /^PATH_NOT_ALLOWED/],
    [to(join(folder, 'way', 'x.bust')), /^PATH_NOT_ALLOWED/],
    [to(note), /^FILE_EXISTS.*another saveAs/],
    [to(join(folder, 'none', 'x.bust')), /^NO_SUCH_FILE: There is no folder/],
    [{ path: join(folder, 'none.stub'), toFormat: 'bust' }, /^NO_SUCH_FILE.*call convert with the path/],
    [{ path: folder, toFormat: 'bust' }, /^BAD_REQUEST.*is not a file/],
    [{ path: note, toFormat: 'bust', options: { fail: 'refuse' } }, /^CONVERSION_ERROR/],
    [{ path: note, toFormat: 'nosuch' }, /^UNSUPPORTED_FORMAT.*call formats/],
    [{ toFormat: 'bust' }, /^BAD_REQUEST: Give exactly one of path or url/],
    [{ fileId: 'x', toFormat: 'bust' }, /^BAD_REQUEST.*additional/],
  ] as const)
    t.match((await agent.use('convert', args)).error, error, JSON.stringify(args))
  t.strictSame(await readdir(outside), ['secret.stub'])
  t.strictSame(await readdir(join(folder, 'sub')), ['note.stub'], 'failures leave nothing')
})

t.test('an agent that closes its end cancels what runs', async (t) => {
  const folder = await folderOf(t)
  await writeFile(join(folder, 'note.stub'), STUB)
  const agent = await connect([folder])
  const args = { path: join(folder, 'note.stub'), toFormat: 'bust', options: { sleep: 60_000 } }
  const left = agent.use('convert', args).catch(() => 'left')
  const newest = async () => (await get(service, '/api/conversions')).json.conversions[0]
  await until(async () => (await newest()).status === 'processing')
  await agent.client.close()
  t.equal(await left, 'left')
  await until(async () => (await newest()).status === 'failed')
  t.match((await newest()).error, { code: 'CANCELLED' })
})
