/** Converting by the command line: what is made of which files, where it goes, and how it ends. */
import { readdir, readFile, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { deskAt, deskOf } from './command.ts'

const lines = (text: string) => text.trimEnd().split('\n').sort()

const { service } = await deskOf(t)

t.test('two names say it all', async (t) => {
  const { athanor, file, path } = await deskAt(t, service)
  const note = await file('note.stub')
  t.match(await athanor(note, path('note.bust')), { code: 0, stdout: `${note} -> ${path('note.bust')}\n`, stderr: '' })
  t.match(await readFile(path('note.bust'), 'utf8'), /^BUST/)

  await t.test('nothing is overwritten without -y', async (t) => {
    const again = await athanor(note, path('note.bust'))
    t.match(again, { code: 1, stdout: '', stderr: `athanor: ${note}: ${path('note.bust')} exists; -y overwrites it\n` })
    const { mtimeMs } = await stat(path('note.bust'))
    t.match(await athanor('-y', note, path('note.bust')), { code: 0 })
    t.not((await stat(path('note.bust'))).mtimeMs, mtimeMs)
  })
  await t.test('other ways to say it', async (t) => {
    t.match(await athanor('convert', note, '-o', path('deep/er/x.bust')), { code: 0 })
    t.match(await athanor(note, '--to', 'stub', '-o', path('smaller.stub')), { code: 0 }, 'optimised')
    t.match(await athanor(note, '--to=bust', '-o', `${path('out')}/`), { code: 0 })
    t.strictSame(await readdir(path('out')), ['note.bust'])
  })
  t.strictSame(
    (await readdir(join(path('.')), { recursive: true })).filter((name) => name.endsWith('.part')),
    [],
  )
})

t.test('several files, of which some fail', async (t) => {
  const { athanor, file, path } = await deskAt(t, service)
  const a = await file('a.stub')
  const b = await file('b.stub')
  const { code, stdout, stderr } = await athanor(a, path('missing.stub'), b, '--to', 'bust', '-o', path('out'))
  t.equal(code, 2, 'one result with a name is not enough for several')
  t.match(stderr, /write -o .*\/ for a folder/)
  t.equal(stdout, '')
  const some = await athanor(a, path('missing.stub'), b, '--to', 'bust', '-o', `${path('out')}/`)
  t.equal(some.code, 1)
  t.strictSame(lines(some.stdout), [`${a} -> ${path('out/a.bust')}`, `${b} -> ${path('out/b.bust')}`])
  t.equal(some.stderr, `athanor: ${path('missing.stub')}: no such file or folder\n`)
  const forged = await athanor(path('none\nathanor: all done'), '--to', 'bust')
  t.equal(forged.stderr, `athanor: ${path('none')}\\u000aathanor: all done: no such file or folder\n`, 'one line')

  const broken = await athanor(a, '--to', 'bust', '--fail', 'encrypted', '-o', path('broken.bust'))
  t.match(broken, { code: 1, stderr: /The stub is locked/ })
  t.rejects(stat(path('broken.bust')), 'no empty file stays')

  const clash = await athanor(a, await file('a.stb'), '--to', 'bust', '-o', `${path('one')}/`)
  t.match(clash, { code: 1, stderr: `athanor: ${path('a.stb')}: ${path('one/a.bust')} is the result of ${a}\n` })
  t.strictSame(await readdir(path('one')), ['a.bust'])
})

t.test('a folder with -r keeps its tree and the dates, and leaves out what cannot become the target', async (t) => {
  const { athanor, file, path } = await deskAt(t, service)
  await file('tree/x.stub')
  const old = new Date('2001-02-03T04:05:06Z')
  await utimes(await file('tree/deep/y.stub'), old, old)
  await file('tree/z.unknown')
  await file('tree/done.bust', 'BUST\n')
  t.match(await athanor(path('tree'), '--to', 'bust'), {
    code: 1,
    stderr: /tree is a folder; -r converts the files in it/,
  })
  for (const count of [1, 2]) {
    // The results of the first run lie in the folder, and are not converted.
    const done = await athanor('-r', path('tree'), '--to', 'bust', '-o', `${path('tree/out')}${count}/`, '--json')
    t.equal(done.code, 0)
    t.equal(lines(done.stdout).length, 2)
    const names = await readdir(path(`tree/out${count}`), { recursive: true })
    t.strictSame(names.sort(), ['tree', 'tree/deep', 'tree/deep/y.bust', 'tree/x.bust'])
    t.strictSame((await stat(path(`tree/out${count}/tree/deep/y.bust`))).mtime, old)
  }
  t.match(await athanor('-r', path('tree/deep'), '--to', 'bust'), { code: 0, stdout: /deep\/y\.bust\n$/ })
  t.match(await athanor('-r', path('tree'), '--to', 'bust', '-o', `${path('more')}/`), {
    stderr: /^athanor: \d files cannot become bust, and were left out\.\n$/,
  })
})

t.test('options of the target are flags', async (t) => {
  const { athanor, file, path } = await deskAt(t, service)
  const note = await file('note.stub')
  t.match(await athanor('--sleep', '10', note, path('a.bust')), { code: 0 }, 'before the names')
  t.match(await athanor(note, '--to', 'bust', '-o', path('b.bust'), '--no-heavy', '--sleep=1'), { code: 0 })
  const wrong = (...args: string[]) => athanor(note, path('c.bust'), ...args)
  t.match(await wrong('--sleep', '1e9'), {
    code: 2,
    stderr: 'athanor: --sleep: "1e9" is not allowed; expected a whole number from 0 to 600000.\n',
  })
  t.match(await wrong('--fail', 'early'), { code: 2, stderr: /expected refuse, encrypted, crash or silent/ })
  t.match(await wrong('--slep', '1'), { code: 2, stderr: 'athanor: --slep: unknown option; did you mean --sleep?\n' })
  t.match(await wrong('--heavy=1'), { code: 2 })
  t.match(await athanor('options', 'bust'), { code: 0, stdout: /^--sleep \(a whole number from 0 to 600000\): Mill/m })
})

t.test('lines of JSON', async (t) => {
  const { athanor, file, path } = await deskAt(t, service)
  const { code, stdout } = await athanor('convert', await file('a.stub'), path('b.stub'), '--to', 'bust', '--json')
  t.equal(code, 1)
  const found = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  t.match(
    found.find(({ status }) => status === 'completed'),
    {
      source: path('a.stub'),
      output: path('a.bust'),
      conversion: { status: 'completed', toFormat: 'bust' },
    },
  )
  t.match(
    found.find(({ status }) => status === 'failed'),
    { source: path('b.stub'), error: { code: 'ENOENT' } },
  )
  t.match(await athanor('-', '--to', 'bust', '--json'), { code: 2, stderr: /name a file with -o/ })
})

t.test('wrong use ends with 2, and names what is near', async (t) => {
  const { athanor, file, path } = await deskAt(t, service)
  const note = await file('note.stub')
  const wrong: [string[], RegExp][] = [
    [['lss'], /^Unknown command "lss"\. Did you mean "ls"\? Commands are convert, watch, mcp, ls, /],
    [['--jsn', note], /--jsn: unknown option; did you mean --json\?/],
    [['ls', '--jsn'], /--jsn: unknown option; did you mean --json\?/],
    [[note], /^athanor: --to: missing; name the format/],
    [[note, path('folder/')], /--to: missing/],
    [[note, '--to', 'bustt'], /the service does not know the format "bustt"; did you mean bust\?/],
    [[note, path('x.bustt')], /did you mean bust\?/],
    [['ls', 'stubb'], /did you mean stub\?/],
    [['options'], /name a format/],
    [['completion', 'csh'], /expected bash, zsh, fish/],
    [['convert'], /Name a file/],
    [[note, note, '--to', 'bust', '-o', '-'], /only one result fits into a pipe/],
  ]
  for (const [args, message] of wrong)
    t.match(await athanor(...args), { code: 2, stdout: '', stderr: message }, args.join(' '))
  t.match(await athanor(), { code: 2, stdout: /Usage: athanor <source> <result>/ })
  for (const word of ['--help', 'help', '-h']) t.match(await athanor(word), { code: 0, stdout: /completion/ })
  t.match(await athanor('convert', '--help'), { code: 0, stdout: /130 interrupted/ })
  t.match(await athanor('--version'), { code: 0, stdout: /^Athanor \d/ })
})

t.test('a service that is not there ends with 3 at once, one that refuses with 4', async (t) => {
  const { athanor, file, path, env } = await deskOf(t, {
    change: (config) => {
      config.plans.guest.conversionsPerDay = 1
      config.plans.guest.maxFileSize = 1000
    },
  })
  const note = await file('note.stub')
  const url = env.ATHANOR_URL
  env.ATHANOR_URL = 'http://127.0.0.1:9'
  t.match(await athanor(note, path('a.bust')), {
    code: 3,
    stderr: 'athanor: http://127.0.0.1:9 cannot be reached (ECONNREFUSED).\n',
  })
  env.ATHANOR_URL = 'localhost:3000'
  t.match(await athanor(note, path('a.bust')), { code: 2, stderr: /^athanor: ATHANOR_URL: expected an address/ })
  env.ATHANOR_URL = url!
  env.ATHANOR_API_KEY = 'no key'
  t.match(await athanor(note, path('a.bust')), { code: 4, stderr: /API key/ })
  t.match(await athanor('doctor'), { code: 4, stderr: /API key/ })
  delete env.ATHANOR_API_KEY
  const large = await file('large.stub', `STUB${'x'.repeat(2000)}`)
  const mixed = await athanor(large, note, '--to', 'bust', '-o', `${path('out')}/`)
  t.match(mixed, { code: 4, stdout: /note\.bust/, stderr: /large\.stub: .*1000|kB|MB/ }, 'the size is of one file only')
  const sources = await Promise.all(Array.from({ length: 9 }, (_, index) => file(`${index}.stub`)))
  const { code, stdout, stderr } = await athanor(...sources, '--to', 'bust', '-o', `${path('out')}/`)
  t.match({ code, stdout }, { code: 4, stdout: '' })
  t.match(stderr, /\d more files were not tried\.\n$/)
})

t.test('what the service knows', async (t) => {
  const { athanor, env } = await deskAt(t, service)
  t.match(await athanor('ls'), { code: 0, stdout: /^stub +stub +source, target +also stb$/m })
  t.strictSame(await athanor('ls', 'bust'), { code: 0, stdout: 'stub        stub\n', stderr: '' })
  t.match(JSON.parse((await athanor('ls', 'stb', '--json')).stdout), [{ extension: 'bust' }, { extension: 'stub' }])
  t.match(JSON.parse((await athanor('options', 'stub', '--json')).stdout), {
    properties: { sleep: { type: 'integer' } },
  })
  const { code, stdout } = await athanor('doctor', '--json')
  t.match(
    { code, ...JSON.parse(stdout) },
    { code: 0, url: env.ATHANOR_URL, status: 'ready', as: 'a guest', formats: 2 },
  )
})
