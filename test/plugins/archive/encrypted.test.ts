/** Encrypted archives are reported as such, whichever program detects it. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { withFolder } from '../../harness/folder.ts'
import { real, studio } from './studio.ts'

const { failure, ...rest } = await studio()
t.teardown(() => rest[Symbol.asyncDispose]())
t.setTimeout(60 * 60_000)

const run = promisify(execFile)

/** Makes an archive of one file with a program, in a new folder. */
const made = (name: string, ...call: [string, ...string[]]) =>
  withFolder(async (folder) => {
    await writeFile(join(folder, 'secret.txt'), 'secret '.repeat(200))
    const [program, ...args] = call
    await run(program, [...args, name, 'secret.txt'], { cwd: folder })
    return readFile(join(folder, name))
  })

const programs: Record<string, [string, ...string[]]> = {
  'classic.zip': ['7zz', 'a', '-tzip', '-psecret', '-mem=ZipCrypto'],
  'aes.zip': ['7zz', 'a', '-tzip', '-psecret', '-mem=AES256'],
  'data.7z': ['7zz', 'a', '-psecret'],
  'names.7z': ['7zz', 'a', '-psecret', '-mhe=on'],
  'garbled.arj': ['arj', 'a', '-y', '-gsecret'],
}

t.test('archives that programs make', async (t) => {
  for (const [name, call] of Object.entries(programs)) {
    const bytes = await made(name, ...call)
    for (const to of ['tar', 'tar.gz']) {
      const { code, message } = await failure(bytes, name.split('.')[1]!, to)
      t.equal(code, 'ENCRYPTED_INPUT', `${name} to ${to}`)
      t.match(message, /password/, name)
    }
  }
})

t.test('real files', async (t) => {
  const files = {
    'encrypted-aes256.zip': 'zip',
    'encrypted-traditional.zip': 'zip',
    'infozip-encrypted.zip': 'zip',
    '7zip-enc-names.7z': '7z',
    'rar2-encrypted.rar': 'rar',
    'encrypted-rar4.rar': 'rar',
    'rar4-encrypted-names.rar': 'rar',
    'rar5-encrypted.rar': 'rar',
    'rar5-encrypted-names.rar': 'rar',
  }
  for (const [name, from] of Object.entries(files)) {
    if (!existsSync(real(name))) continue
    t.equal((await failure(real(name), from, 'tar')).code, 'ENCRYPTED_INPUT', name)
  }
})

t.test(
  'one part of a multi-part archive is refused',
  { skip: !existsSync(real('rar5-last-volume.rar')) },
  async (t) => {
    t.match(await failure(real('rar5-last-volume.rar'), 'rar'), {
      code: 'CONVERSION_ERROR',
      message: /one part of several/,
    })
  },
)
