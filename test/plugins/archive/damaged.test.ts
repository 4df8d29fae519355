/** Archives that are cut off, empty or not what they are called. */
import { readFile } from 'node:fs/promises'
import t from 'tap'
import { archive } from '../../fixtures/archive.ts'
import { sample } from '../../fixtures/samples.ts'
import { studio } from './studio.ts'
import { rawTar } from './tar.ts'

const { convert, failure, ...rest } = await studio()
t.teardown(() => rest[Symbol.asyncDispose]())
t.setTimeout(300_000)

const target = (format: string) => (format === 'tar' ? 'zip' : 'tar')

/** A sentence that names no file and shows no program. */
const human = /^(?!.*[/\\])(?!.*(bsdtar|7zz|undefined|Error:))[A-Z].{10,}$/

t.test('half of an archive is refused', async (t) => {
  // compress(1) writes neither a sum nor an end: half of its file is a whole one of half the text.
  for (const format of Object.keys(archive).filter((format) => format !== 'z')) {
    const bytes = await readFile((await sample(format)).path)
    const { code, message } = await failure(bytes.subarray(0, Math.floor(bytes.length / 2)), format, target(format))
    t.equal(code, 'CONVERSION_ERROR', `${format}: ${message}`)
    t.match(message, human, format)
  }
})

t.test('nonsense under the name of an archive is refused', async (t) => {
  for (const format of Object.keys(archive))
    t.match(
      await failure(Buffer.from('nonsense '.repeat(1000)), format, target(format)),
      { code: 'CONVERSION_ERROR', message: human },
      format,
    )
})

t.test('an archive of nothing', async (t) => {
  t.match(await failure(rawTar([]), 'tar'), { code: 'CONVERSION_ERROR', message: 'The archive holds no files' })
  const empty = Buffer.concat([Buffer.from('PK\x05\x06'), Buffer.alloc(18)])
  t.match(await failure(empty, 'zip', '7z'), { code: 'CONVERSION_ERROR', message: 'The archive holds no files' })
  t.ok((await convert(empty, 'zip', 'zip')).equals(empty), 'is as small as it can be')
})
