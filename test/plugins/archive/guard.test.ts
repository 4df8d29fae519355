/** How the guard handles entries that would harm the user who unpacks them. */
import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { zstdCompressSync } from 'node:zlib'
import t from 'tap'
import { program } from '../../fixtures/program.ts'
import { withFolder } from '../../harness/folder.ts'
import { listing } from './listing.ts'
import { studio } from './studio.ts'
import { type Raw, rawTar } from './tar.ts'

const { convert, failure, ...rest } = await studio()
t.teardown(() => rest[Symbol.asyncDispose]())
t.setTimeout(60 * 60_000)

const ok: Raw = { name: 'fine.txt', content: 'fine' }

t.test('paths and links to places outside are refused', async (t) => {
  const members: Record<string, Raw[]> = {
    'a path upward': [{ name: '../../etc/passwd', content: 'x' }],
    'a path upward in the middle': [{ name: 'a/../../b', content: 'x' }],
    'a path upward as DOS writes it': [{ name: 'a\\..\\..\\b', content: 'x' }],
    'an absolute link': [{ name: 'out', type: '2', target: '/etc/passwd' }],
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
    const { code, message } = await failure(rawTar([ok, ...entries]), 'tar')
    t.equal(code, 'CONVERSION_ERROR', what)
    t.match(message, /^(An entry of|A link in) the archive points outside the archive$/, what)
  }
})

t.test('a path upward in archives that a second program could read', async (t) => {
  await withFolder(async (folder) => {
    await writeFile(join(folder, 'f.txt'), 'second')
    for (const format of ['zip', '7z']) {
      const path = join(folder, `up.${format}`)
      await program('env', '-C', folder, '7zz', 'a', '-bd', '-bso0', path, 'f.txt')
      await program('env', '-C', folder, '7zz', 'rn', '-bd', '-bso0', path, 'f.txt', '../f.txt')
      await program('env', '-C', folder, '7zz', 'a', '-bd', '-bso0', path, 'f.txt')
      t.match(await failure(path, format, 'tar'), {
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
    ...{ absolute: 'folder 755', 'absolute/file': 'file 644 inside', dot: 'folder 755', 'dot/file': 'file 644 plain' },
    ...{ root: 'file 755 was set-uid', l: 'link dot/file', twin: 'file 644 plain' },
  }
  for (const to of ['zip', '7z', 'tar.gz', 'cpio']) t.same(await listing(await convert(bytes, 'tar', to), to), kept, to)
})

t.test('bombs are stopped', async (t) => {
  const many = rawTar(Array.from({ length: 100_001 }, (_, index) => ({ name: `${index}` })))
  const { code, message } = await failure(zstdCompressSync(many), 'tar.zst')
  t.equal(code, 'RESOURCE_LIMIT', 'by number')
  t.match(message, /100000 entries/)

  await withFolder(async (folder) => {
    const run = promisify(execFile)
    await mkdir(join(folder, 'tree'))
    await run('truncate', ['-s', '1200M', join(folder, 'tree/zeros')])
    await run('zstd', ['-q', join(folder, 'tree/zeros'), '-o', join(folder, 'one.zst')])
    await run('tar', ['-I', 'zstd', '-cf', join(folder, 'a.tar.zst'), '-C', join(folder, 'tree'), '.'])
    for (const [name, from] of [
      ['one.zst', 'zst'],
      ['a.tar.zst', 'tar.zst'],
    ] as const) {
      const started = Date.now()
      t.equal(
        (await failure(join(folder, name), from)).code,
        'RESOURCE_LIMIT',
        `${name} by the size that it claims, or has`,
      )
      t.comment(`${name}: ${Date.now() - started} ms`)
    }
  })
})
