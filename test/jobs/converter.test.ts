import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import t from 'tap'
import type { Engine, Plugin, Route } from '../../kernel/contract.ts'
import { type ConvertiblePair, createConverter } from '../../kernel/jobs/converter.ts'
import { makeSource, startSandboxes } from '../harness/sandboxes.ts'

/** An engine that runs a shell script. */
const shell = (name: string, more: Partial<Engine> = {}): Engine => ({
  name,
  binary: ['sh'],
  version: [],
  argv: (_job, args) => ['-c', args],
  ...more,
})
const a = shell('a')
const b = shell('b')
const missing = shell('missing')
const telling = shell('telling', { progress: () => (line) => Number(line) })
const encrypted = shell('encrypted', { reason: () => ({ code: 'ENCRYPTED_INPUT', message: 'It needs a password' }) })

const probes: Map<Engine, { path: string } | { missing: string }> = new Map(
  [a, b, encrypted, telling].map((engine) => [engine, { path: '/usr/bin/sh' }]),
)
probes.set(missing, { missing: 'no such program' })

type Way = Record<string, unknown>
const plugin = (category: string): Plugin => ({ category, formats: {}, options: {}, routes: [] })
const pair = (from: string, to: string, ...ways: Way[]): ConvertiblePair => ({
  from,
  to,
  methods: ways.map((way) => ({
    route: { from: [from], to: [to], ...way } as unknown as Route,
    plugin: plugin(`${to}s`),
  })),
})
const script = (engine: Engine, text: string) => ({ engine, args: () => [text] })
const upper = (engine: Engine, extension = 'txt') => script(engine, `cat /in/* | tr a-z A-Z > /out/file.${extension}`)

async function setUp(t: Parameters<typeof startSandboxes>[0], ...others: ConvertiblePair[]) {
  const { sandboxes, dataDir } = await startSandboxes(t)
  const converter = createConverter({
    catalogue: { pairs: new Map(others.map((other) => [`${other.from}>${other.to}`, other])) },
    probes,
    sandboxes,
    options: { complete: (plugin, to) => ({ defaultsOf: plugin.category, to }) },
    verify: async (path, format) =>
      path.endsWith(`.${format}`) && !(await readFile(path, 'utf8')).startsWith('invalid'),
  })
  const source = await makeSource(dataDir, 'some text')
  const reports: number[] = []
  const convert = (wanted: ConvertiblePair, more = {}) =>
    converter.convert({
      owner: 'o',
      source,
      pair: wanted,
      intent: 'convert',
      options: { own: 1 },
      name: 'n',
      size: 9,
      signal: AbortSignal.timeout(120_000),
      report: (fraction: number) => reports.push(fraction),
      ...more,
    })
  return { convert, reports }
}

t.test('the first route that accepts the file converts it', async (t) => {
  const { convert } = await setUp(t)
  await using made = await convert(pair('png', 'txt', upper(a), script(b, 'echo wrong > /out/file.txt')))
  t.equal(await readFile(made.path, 'utf8'), 'SOME TEXT')
  t.match(made, { size: 9, paged: false })
})

t.test('after a refusal, the next route starts from scratch', async (t) => {
  const { convert } = await setUp(t)
  for (const refusal of [
    'mkdir /scratch/left; echo partial > /out/file.txt; exit 1',
    'exit 0',
    'echo invalid > /out/file.txt',
    'ln -s /etc/passwd /out/file.txt',
  ]) {
    const next = script(b, 'ls /out /scratch > /tmp/seen; cp /tmp/seen /out/file.txt')
    await using made = await convert(pair('png', 'txt', script(a, refusal), next))
    t.equal(await readFile(made.path, 'utf8'), '/out:\n\n/scratch:\n', refusal)
  }
  const all = pair('png', 'txt', script(a, 'echo invalid > /out/file.txt'), script(b, 'exit 1'))
  await t.rejects(convert(all), {
    code: 'CONVERSION_ERROR',
    message: 'The conversion did not produce a valid TXT file',
  })
})

t.test('other failures do not try another engine', async (t) => {
  const { convert } = await setUp(t)
  const last = upper(b)
  const coded = (code: string) => ({
    engine: a,
    convert: async () => {
      throw Object.assign(new Error('the file at /in/file.png is too hard'), { code })
    },
  })
  const limit = script(a, 'kill -XCPU $$')
  await t.rejects(convert(pair('png', 'txt', limit, last)), { code: 'RESOURCE_LIMIT' })
  await t.rejects(convert(pair('png', 'txt', script(encrypted, 'exit 1'), last)), { code: 'ENCRYPTED_INPUT' })
  const onRun = { code: 'RESOURCE_LIMIT', message: 'the file at the file is too hard' }
  await t.rejects(convert(pair('png', 'txt', coded('RESOURCE_LIMIT'), last)), onRun)
  const bug = { code: 'INTERNAL_SERVER_ERROR', message: /unexpected/, cause: { code: 'ENOENT' } }
  await t.rejects(convert(pair('png', 'txt', coded('ENOENT'), last)), bug)
  for (const engine of [missing, shell('unknown')])
    await t.rejects(convert(pair('png', 'txt', upper(engine), last)), { code: 'INTERNAL_SERVER_ERROR' })
  await using made = await convert(pair('png', 'txt', coded('CONVERSION_ERROR'), last))
  t.equal(made.size, 9, 'a plugin may refuse the file as an engine does')
})

t.test('an abort rejects with its reason, at every point', async (t) => {
  const { convert } = await setUp(t)
  const reason = new Error('cancelled')
  const slow = pair('png', 'txt', script(a, 'sleep 600'), upper(b))
  for (const after of [0, 5, 150]) {
    const job = new AbortController()
    setTimeout(() => job.abort(reason), after)
    await t.rejects(convert(slow, { signal: job.signal }), reason)
  }
  await t.rejects(convert(slow, { signal: AbortSignal.abort(reason) }), reason)
})

t.test('several runs in one job, and pages', async (t) => {
  const { convert } = await setUp(t)
  const seen: unknown[] = []
  const several = {
    engine: a,
    uses: [b],
    convert: async (job: any, run: any) => {
      seen.push({ ...job, signal: undefined })
      seen.push(await run(a, [`rev /in/file.png > ${job.scratch}/x; echo said`]))
      await run(b, [`cat ${job.scratch}/x > ${job.pages}`])
    },
  }
  await using made = await convert(pair('png', 'txt', several))
  t.equal(await readFile(made.path, 'utf8'), 'txet emos')
  t.equal(made.paged, true)
  t.match(seen, [
    {
      from: 'png',
      to: 'txt',
      intent: 'convert',
      name: 'n',
      size: 9,
      options: { own: 1 },
      scratch: '/scratch',
      input: '/in/file.png',
      output: '/out/file.txt',
      pages: '/out/pages.zip',
    },
    ['said'],
  ])
})

t.test('a detour has two legs; the first leg uses the defaults of its own plugin', async (t) => {
  const jobs: any[] = []
  const noting = (text: string, engine = a) => ({
    engine,
    args: (job: any) => {
      jobs.push(job)
      return [text]
    },
  })
  const first = pair(
    ...(['doc', 'pdf'] as const),
    noting('exit 1'),
    noting('tr a-z A-Z < /in/file.doc > /out/file.pdf'),
    { via: 'never' },
  )
  const last = pair('pdf', 'txt', noting('rev /in/file.pdf > /out/file.txt'))
  const { convert, reports } = await setUp(t, first, last)
  {
    await using made = await convert(pair('doc', 'txt', { via: 'pdf' }))
    t.equal(await readFile(made.path, 'utf8'), 'TXET EMOS')
  }
  t.match(jobs, [
    { from: 'doc', to: 'pdf', options: { defaultsOf: 'pdfs', to: 'pdf' } },
    { from: 'doc', to: 'pdf', intent: 'convert' },
    { from: 'pdf', to: 'txt', options: { own: 1 }, input: '/in/file.pdf', output: '/out/file.txt' },
  ])
  t.same(reports, [], 'engines that tell none have no progress')
})

t.test('a detour of several pages runs the last leg for each page, and packs the results', async (t) => {
  const pages = 'echo one > /out/page-001.pdf; echo two > /out/page-002.pdf'
  // A folder of the page before would be an error.
  const args = ({ input }: { input: string }) => [`mkdir /scratch/x && tr a-z A-Z < ${input} > /out/file.txt`]
  const { convert } = await setUp(
    ...([t, pair('doc', 'pdf', script(a, pages)), pair('pdf', 'txt', { engine: b, args })] as const),
  )
  await using made = await convert(pair('doc', 'txt', { via: 'pdf' }), { name: 'report' })
  t.equal(made.paged, true)
  t.equal((await readFile(made.path)).length, made.size)
  t.equal(execFileSync('unzip', ['-p', made.path], { encoding: 'utf8' }), 'ONE\nTWO\n')
  t.equal(execFileSync('unzip', ['-Z1', made.path], { encoding: 'utf8' }), 'report-001.txt\nreport-002.txt\n')
})

t.test('one refused page refuses a detour, and no page may be a link', async (t) => {
  const last = { engine: b, args: (job: any) => [`grep one ${job.input} > /out/file.txt`] }
  for (const second of ['echo two > /out/page-002.pdf', 'ln -s /etc/passwd /out/page-002.pdf']) {
    const pages = script(a, `echo one > /out/page-001.pdf; ${second}`)
    const { convert } = await setUp(t, pair('doc', 'pdf', pages), pair('pdf', 'txt', last))
    await t.rejects(convert(pair('doc', 'txt', { via: 'pdf' })), { code: 'CONVERSION_ERROR' }, second)
  }
})

t.test('progress covers both legs and never falls', async (t) => {
  const tell = (to: string) =>
    script(telling, `echo 0.5; echo 0.2; echo 7; echo -1; echo x; cp /in/file.* /out/file.${to}`)
  const last = pair('pdf', 'txt', script(telling, 'echo 0.5; cat /in/file.pdf > /out/file.txt'))
  const { convert, reports } = await setUp(t, pair('doc', 'pdf', tell('pdf')), last)
  await using made = await convert(pair('doc', 'txt', { via: 'pdf' }))
  t.equal(made.size, 9)
  t.same(reports, [0.25, 0.5, 0.75])
})

t.test('steps share folders and files; a limit is no refusal of an optional one', async (t) => {
  const { convert } = await setUp(t)
  const step = (engine: Engine, text: string, more: object = {}) => ({ ...script(engine, text), ...more })
  const fill = step(a, 'cat /in/file.png > /scratch/parts/1; echo 2 > /scratch/parts/2', { output: 'parts/' })
  const join = step(b, 'cat /scratch/parts/* > /out/file.txt')
  const mark = step(a, 'echo ! >> /out/file.txt', { output: false })
  const refuses = step(b, 'exit 3', { output: false, optional: true })
  await using made = await convert(pair('png', 'txt', { steps: [fill, join, mark, refuses] }))
  t.equal(await readFile(made.path, 'utf8'), 'some text2\n!\n')
  const hungry = step(b, 'yes | head -c 100M > /scratch/filled; exit 3', { output: false, optional: true })
  await t.rejects(convert(pair('png', 'txt', { steps: [fill, join, hungry] })), { code: 'RESOURCE_LIMIT' })
  const light = { steps: [{ ...join, heavy: {} }] }
  await t.rejects(convert(pair('png', 'txt', light), { light: true }), { name: 'NeedsHeavy' })
})
