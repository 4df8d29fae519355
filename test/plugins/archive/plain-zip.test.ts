/**
 * Plain zips become tars without bsdtar. The result must be what bsdtar makes: the same zip to `tar.bz2` always takes that
 * way.
 */
import { spawn } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import t from 'tap'
import { archive } from '../../fixtures/archive.ts'
import { program } from '../../fixtures/program.ts'
import { sample } from '../../fixtures/samples.ts'
import { folderOf, withFolder } from '../../harness/folder.ts'
import { packing } from './packing.ts'
import { type RawEntry, rawZip } from './raw-zip.ts'

const { convert, failure } = await packing(t)

const LIST = `
import hashlib, json, sys, tarfile
for path in sys.stdin:
  print(json.dumps([[m.name, m.type.decode(), m.mode, m.mtime, m.uid, m.gid, m.uname, m.gname, m.size, m.linkname,
    sorted(m.pax_headers), m.isfile() and hashlib.sha256(a.extractfile(m).read()).hexdigest()]
    for a in [tarfile.open(path.strip())] for m in a]), flush=True)`

const folder = await folderOf(t)
const python = spawn('python3', ['-c', LIST], { stdio: ['pipe', 'pipe', 'inherit'] })
t.teardown(() => python.kill())
const lists = createInterface({ input: python.stdout })[Symbol.asyncIterator]()

/** All that a tar says of each entry, read by Python. */
async function entriesOf(bytes: Buffer): Promise<unknown[]> {
  await writeFile(join(folder, 'made'), bytes)
  python.stdin.write(`${join(folder, 'made')}\n`)
  return JSON.parse(String((await lists.next()).value))
}

/** Converts, and tells by which programs. */
async function made(source: Buffer | string, to: string, from = 'zip') {
  const engines: string[] = []
  const bytes = await convert(source, `${from}>${to}`, {}, { told: (engine) => engines.push(engine) })
  return { entries: await entriesOf(bytes), engines }
}

const file: RawEntry = { name: 'one/two.txt', content: 'two '.repeat(500) }
const long: RawEntry = { name: 'long.bin', content: Buffer.from(Array.from({ length: 3e6 }, (_, n) => n * n)) }

/** Files with several modes, and folders, packed by other programs. */
const byPrograms = () =>
  withFolder(async (folder) => {
    const tree = join(folder, 'tree')
    await mkdir(join(tree, 'folder/inner'), { recursive: true })
    for (const [name, text] of Object.entries({ 'a.txt': 'a '.repeat(999), 'folder/b c': 'b', 'folder/empty': '' }))
      await writeFile(join(tree, name), text)
    await program('chmod', '750', join(tree, 'folder/b c'))
    await program('chmod', '4711', join(tree, 'a.txt'))
    const within = (...call: string[]) => program('env', '-C', tree, ...call)
    await within('zip', '-qr', '../info-zip.zip', '.')
    await within('zip', '-q0rX', '../stored.zip', '.')
    await within('sh', '-c', 'zip -qr - . > ../piped.zip')
    await within('bsdtar', '-a', '-cf', '../bsdtar.zip', '.')
    await within('7zz', 'a', '-bd', '-bso0', '../seven.zip', '.')
    await within('python3', '-m', 'zipfile', '-c', '../python.zip', 'a.txt', 'folder')
    const names = ['info-zip', 'stored', 'piped', 'bsdtar', 'seven', 'python']
    return Object.fromEntries(
      await Promise.all(names.map(async (name) => [name, await readFile(`${tree}/../${name}.zip`)])),
    )
  })

t.test('plain zips take one program, which makes what bsdtar makes', async (t) => {
  const dos = { maker: 0, attributes: 0x20 }
  const zips: Record<string, Buffer> = {
    ...(await byPrograms()),
    'of DOS': rawZip([
      { ...file, ...dos },
      { name: 'locked.txt', content: 'x', ...dos, attributes: 0x21 },
      { name: 'folder/', stored: true, ...dos, attributes: 0x10 },
      { name: 'locked/', stored: true, ...dos, attributes: 0x11 },
      { name: 'unmarked/', stored: true, ...dos },
    ]),
    'without modes': rawZip([
      { ...file, attributes: 0 },
      { name: 'folder/', stored: true, attributes: 0 },
    ]),
    'a large file, and an unused extra field': rawZip([long, { ...file, extra: Buffer.from('feca0000', 'hex') }]),
    'a large stored file': rawZip([{ ...long, stored: true }, file]),
    'two files of one name': rawZip([file, { ...file, content: 'later' }]),
    'entries in another order than their data': rawZip([
      { ...file, place: 1 },
      { ...file, place: 0 },
    ]),
  }
  for (const [name, zip] of Object.entries(zips)) {
    const { entries } = await made(zip, 'tar.bz2')
    for (const to of ['tar', 'tar.gz'])
      t.strictSame(await made(zip, to), { entries, engines: ['zip-to-tar'] }, `${name} to ${to}`)
  }
})

t.test('samples, which hold links and names in other scripts', async (t) => {
  for (const format of ['zip', 'jar'].filter((format) => format in archive)) {
    const { path } = await sample(format)
    const { entries } = await made(path, 'tar.bz2', format)
    t.strictSame(await made(path, 'tar.gz', format), { entries, engines: ['zip-to-tar', 'archive'] }, format)
  }
})

t.test('zips with another side are left to bsdtar', async (t) => {
  const zips: Record<string, Buffer> = {
    'a symbolic link': rawZip([file, { name: 'one/link', content: 'two.txt', attributes: 0o120777 * 2 ** 16 }]),
    'a name in another script': rawZip([{ ...file, name: 'имя.txt', flags: 0x800 }]),
    backslashes: rawZip([{ ...file, name: 'one\\two.txt', maker: 0, attributes: 0 }]),
    'bytes before the archive': rawZip([file], { before: 'before' }),
    // They could be entries that other programs find.
    'unused bytes between the data': rawZip([file, long], { between: 'unused' }),
    'a comment': rawZip([file], { comment: 'PK' }),
    'a folder with content': rawZip([{ name: 'folder/', content: 'x', stored: true }, file]),
    'another name in the local header': rawZip([{ ...file, localName: 'one/other.txt' }]),
    'one entry, named twice': rawZip([long, { ...long, place: 0 }]),
    'an unknown extra field': rawZip([{ ...file, extra: Buffer.from('7570060001000000000061', 'hex') }]),
  }
  for (const [name, zip] of Object.entries(zips)) {
    const { entries, engines } = await made(zip, 'tar.bz2')
    t.strictSame(await made(zip, 'tar.gz'), { entries, engines: ['zip-to-tar', ...engines] }, name)
  }
})

t.test('what bsdtar or the guard refuses is refused with the same words', async (t) => {
  const zips: Record<string, Buffer> = {
    'a path upward': rawZip([{ ...file, name: '../two.txt' }]),
    'more bytes of a large file than claimed': rawZip([{ ...long, size: 2e6 }]),
    'sizes that differ': rawZip([{ ...file, localSize: 3 }]),
    'an encrypted entry': rawZip([file, { ...file, flags: 1 }]),
    'a link upward': rawZip([{ name: 'link', content: '../x', attributes: 0o120777 * 2 ** 16 }]),
    'the claim of a bomb': rawZip([
      { ...file, size: 0x7ffffff0 },
      { ...file, size: 0x7ffffff0 },
    ]),
    'a half': rawZip([file, long]).subarray(0, 3000),
    'without files': rawZip([]),
    'only the root': rawZip([{ name: './', stored: true, attributes: 0o40755 * 2 ** 16 }]),
  }
  for (const [name, zip] of Object.entries(zips)) {
    const { code, message } = await failure(zip, 'zip>tar.bz2')
    t.match(code, /^[A-Z_]+$/, name)
    t.strictSame(await failure(zip, 'zip>tar.gz'), { code, message }, `${name}: ${code} ${message}`)
  }
})
