import t from 'tap'
import { flatten } from '../../kernel/kit.ts'
import { limitsFor } from '../../kernel/sandbox/limits/prlimit.ts'
import { createSplitter, createTail } from '../../kernel/sandbox/process/lines.ts'
import { failureOf, sanitise } from '../../kernel/sandbox/process/reason.ts'
import { argumentsFor } from '../../kernel/sandbox/walls/bubblewrap.ts'
import { makeJob, sh } from '../harness/sandboxes.ts'

t.test('arguments', async (t) => {
  t.same(flatten(['-a', 0, false, null, undefined, '', ['-b', [1.5]]]), ['-a', '0', '-b', '1.5'])
  t.throws(() => flatten(['a\0b']))
})

t.test('lines are split, truncated and counted, in chunks of any size', async (t) => {
  const read = (...chunks: (string | Buffer)[]) => {
    const lines: string[] = []
    const splitter = createSplitter((line) => lines.push(line))
    for (const chunk of chunks) splitter.write(Buffer.from(chunk))
    splitter.end()
    return lines
  }
  t.same(read('a\nb', 'c\r\n', '\nd\re'), ['a', 'bc', 'd', 'e'])
  t.same(read(Buffer.from([0xc3]), Buffer.from([0xa9, 0x0a])), ['é'])
  t.same(
    read('x'.repeat(10_000), 'x'.repeat(10_000), '\nend').map((line) => line.length),
    [8192, 3],
  )

  const tail = createTail()
  for (let index = 0; index < 1000; index++) tail.push(`${index}`)
  t.equal(tail.lines.length, 200)
  t.equal(tail.lines[199], '999')
  for (let index = 0; index < 20; index++) tail.push('y'.repeat(8000))
  t.equal(tail.lines.length, 8)
})

t.test("the part of an engine's output that clients can read", async (t) => {
  t.equal(sanitise('cannot open /in/file.png: No such file'), 'cannot open the file: No such file')
  t.equal(sanitise("can't read '/srv/data/work/1/in/x y'"), "can't read 'the file y'")
  t.equal(sanitise('image/png, 1/2 and and/or stay'), 'image/png, 1/2 and and/or stay')
  t.equal(sanitise('see file:///etc/passwd.'), 'see the file')
  t.equal(sanitise('\x1b[31mred\x1b[0m \u202etxt\u0000\r\nnext'), 'red txt next')
  t.equal(sanitise('x'.repeat(999)).length, 300)
})

t.test('how the end of a process is reported', async (t) => {
  const told = (code: number | undefined, lines: string[] = [], engine = sh) =>
    failureOf(engine, makeJob(), { code }, lines)
  t.match(told(1), { code: 'CONVERSION_ERROR', message: 'The file could not be read as PNG' })
  t.match(told(137), { code: 'RESOURCE_LIMIT' })
  t.match(told(undefined), { code: 'INTERNAL_SERVER_ERROR' })
  t.match(told(1, ['bwrap: execvp x: No such file']), { code: 'INTERNAL_SERVER_ERROR' })
  t.match(told(1, [], { ...sh, reason: () => 'no image in /in/file.png' }), { message: 'no image in the file' })
  const encrypted = { code: 'ENCRYPTED_INPUT', message: 'It has a password' } as const
  t.match(told(1, [], { ...sh, reason: () => encrypted }), encrypted)
  const lie = { code: 'CANCELLED', message: 'no' } as const
  t.match(told(1, [], { ...sh, reason: () => lie }), { code: 'CONVERSION_ERROR' }, 'an engine does not cancel')
})

t.test('the options of bwrap', async (t) => {
  const profile = { binds: ['/a'], mounts: [['/b', '/c']] as const, env: { X: 'y z' }, processes: 7, addressSpace: 0 }
  const options = argumentsFor(profile, '/work/job', '/work/etc').join('\n')
  for (const expected of ['--unshare-net', '--die-with-parent', '--ro-bind-try\n/a\n/a', '--ro-bind-try\n/b\n/c']) {
    t.match(options, expected)
  }
  t.match(options, '--setenv\nX\ny z')
  t.match(options, '--ro-bind\n/work/job/in\n/in\n--bind\n/work/job/out\n/out')
  const limits = limitsFor(profile, { cpu: 9, fileSize: 5 }).join(' ')
  t.equal(
    limits,
    '/usr/bin/prlimit --core=0:0 --nofile=1024:1024 --rtprio=0:0 --nice=0:0 --msgqueue=0:0 --sigpending=256:256 --fsize=5:5 --cpu=9:14 --nproc=7:7 --',
  )
})
