/** Locked and damaged documents of each kind that LibreOffice reads. */
import { readFile } from 'node:fs/promises'
import t from 'tap'
import { stored } from '../../fixtures/files.ts'
import { sample } from '../../fixtures/samples.ts'
import { zipped } from '../../fixtures/zip.ts'
import { bare } from '../bare.ts'

t.setTimeout(30 * 60_000)
const own = await bare(t, ['document'])
const bytes = async (format: string) => readFile((await sample(format, 'document')).path)

t.test('documents with a password', async (t) => {
  for (const pair of ['doc>rtf', 'ods>csv', 'odp>txt', 'odt>docx', 'xls>json']) {
    const { code } = await own.failure(stored(`encrypted.${pair.split('>')[0]}`), pair)
    t.equal(code, 'ENCRYPTED_INPUT', pair)
  }
  for (const pair of ['xlsx>pdf', 'pptx>pdf', 'xlsm>ods', 'docm>odt'])
    t.equal((await own.failure(stored('encrypted.docx'), pair)).code, 'ENCRYPTED_INPUT', pair)
})

t.test('halves of documents, and texts under their names', async (t) => {
  for (const from of ['odt', 'xlsx', 'ods', 'pptx', 'odp', 'doc', 'xls', 'vsd', 'pub']) {
    const whole = await bytes(from)
    const half = whole.subarray(0, Math.floor(whole.length / 2))
    for (const source of [half, Buffer.from('This is nothing of that kind. '.repeat(200))])
      t.equal((await own.failure(source, `${from}>pdf`)).code, 'CONVERSION_ERROR', `${source.length} bytes as ${from}`)
  }
  const later = await bytes('pub')
  later[later.indexOf(Buffer.from('e8ac22', 'hex')) + 2] = 0x2d
  t.equal((await own.failure(later, 'pub>pdf')).code, 'CONVERSION_ERROR', 'a later version of Publisher')
})

t.test('a bomb is refused', async (t) => {
  const zeros = Buffer.alloc(6e8)
  const bomb = await zipped({ 'word/document.xml': zeros, 'word/styles.xml': zeros })
  t.equal((await own.failure(bomb, 'docx>docx')).code, 'RESOURCE_LIMIT')
})
