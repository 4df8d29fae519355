/** How the guard handles entries that would harm the user who unpacks them. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import t from 'tap'
import { program } from '../../fixtures/program.ts'
import { withFolder } from '../../harness/folder.ts'
import { listing } from './listing.ts'
import { packing } from './packing.ts'
import { type Raw, rawTar } from './tar.ts'

const { convert, failure } = await packing(t)

const ok: Raw = { name: 'fine.txt', content: 'fine' }

t.test('paths and links to places outside are refused', async (t) => {
  const members: Record<string, Raw[]> = {
    'a path upward': [{ name: '../../etc/passwd', content: 'x' }],
    'a path upward in the middle': [{ name: 'a/../../b', content: 'x' }],
    'a path upward as DOS writes it': [{ name: 'a\\..\\..\\b', content: 'x' }],
    'an absolute link': [{ name: 'out', type: '2', target: '/etc/passwd' }],
    'a link to a drive': [{ name: 'out', type: '2', target: 'c:\\x' }],
    'a link to nothing': [{ name: 'out', type: '2', target: '' }],
    'a link upward': [{ name: 'a/out', type: '2', target: '../../b' }],
    'a link that climbs through another': [
      { name: 'a/up', type: '2', target: '..' },
      { name: 'out', type: '2', target: 'a/up/../..' },
    ],
    'an entry below a link': [
      { name: 'a', type: '5', mode: 0o755 },
      { name: 'l', type: '2', target: 'a' },
      { name: 'l/x', content: 'x' },
    ],
    'a hard link to what is not there': [{ name: 'x', type: '1', target: 'etc/passwd' }],
    'a hard link upward': [{ name: 'x', type: '1', target: '../etc/passwd' }],
  }
  for (const [what, entries] of Object.entries(members)) {
    const { code, message } = await failure(rawTar([ok, ...entries]), 'tar>zip')
    t.equal(code, 'CONVERSION_ERROR', what)
    t.match(message, /^(An entry of|A link in) the archive points outside the archive$/, what)
  }
  const inside = rawTar([{ name: 'a/b', type: '2', target: './../c' }])
  t.same(await listing(await convert(inside, 'tar>zip'), 'zip'), { a: 'folder 755', 'a/b': 'link ./../c' })
})

t.test('a path upward in archives that a second program could read', async (t) => {
  await withFolder(async (folder) => {
    await writeFile(join(folder, 'f.txt'), 'second')
    for (const format of ['zip', '7z']) {
      const path = join(folder, `up.${format}`)
      for (const call of [
        ['a', path, 'f.txt'],
        ['rn', path, 'f.txt', '../f.txt'],
        ['a', path, 'f.txt'],
      ])
        await program('env', '-C', folder, '7zz', ...call, '-bd', '-bso0')
      t.match(await failure(path, `${format}>tar`), {
        code: 'CONVERSION_ERROR',
        message: 'An entry of the archive points outside the archive',
      })
    }
  })
})

t.test('harmless oddities are corrected', async (t) => {
  const bytes = rawTar([
    { name: '/absolute/file', content: 'inside' },
    { name: './dot//file', content: 'plain' },
    { name: 'device', type: '3' },
    { name: 'block', type: '4' },
    { name: 'pipe', type: '6' },
    { name: 'link to device', type: '1', target: 'device' },
    { name: 'root', mode: 0o6755, content: 'was set-uid' },
    { name: 'l', type: '2', target: 'dot/file' },
    { name: 'twin', type: '1', target: './dot/file' },
  ])
  const kept = {
    absolute: 'folder 755',
    'absolute/file': 'file 644 inside',
    dot: 'folder 755',
    'dot/file': 'file 644 plain',
    root: 'file 755 was set-uid',
    l: 'link dot/file',
    twin: 'file 644 plain',
  }
  for (const to of ['zip', 'tar.gz']) t.same(await listing(await convert(bytes, `tar>${to}`), to), kept, to)
  const added = rawTar([
    { name: 'a', content: 'one' },
    { name: 'a', content: 'two' },
    { name: 'b', content: 'bee' },
    { name: 'a2', type: '1', target: 'a' },
    { name: 'b2', type: '1', target: 'b' },
  ])
  const all = { a: 'file 644 two', b: 'file 644 bee', a2: 'file 644 two', b2: 'file 644 bee' }
  t.match(await listing(await convert(added, 'tar>zip'), 'zip'), all, 'links to a file that was added again')
})

t.test('limits: of entries, and of bytes, as the headers claim them or as they are', async (t) => {
  const many = rawTar([ok, ok, { name: 'a', type: '5' }])
  const message = 'The archive holds more than 2 entries'
  t.same(await failure(many, 'tar>zip', {}, { limits: { entries: 2 } }), { code: 'RESOURCE_LIMIT', message })
  t.match(await failure(many, 'tar>zip', {}, { limits: { entries: 3, bytes: 8 } }), { code: /^made/ })
  const far = 'The archive unpacks to far more than its own size, or to more than can be converted'
  const full = { code: 'RESOURCE_LIMIT', message: far }
  const zeros = Buffer.alloc(100_000)
  const twin = rawTar([
    { name: 'a', content: zeros },
    { name: 'b', type: '1', target: 'a' },
  ])
  for (const [source, pair, bytes] of [
    [many, 'tar>zip', 7],
    [zstdCompressSync(zeros), 'zst>zip', 99_999],
    [zstdCompressSync(many), 'tar.zst>zip', 7],
    [rawTar([{ name: 'a', content: zeros }]), 'tar>tar.gz', 99_999],
    [twin, 'tar>zip', 199_999],
  ] as const)
    t.same(await failure(source, pair, {}, { limits: { bytes } }), full, pair)
  t.match(await failure(twin, 'tar>tar.gz', {}, { limits: { bytes: 199_999 } }), { code: /^made/ }, 'a link')
})
