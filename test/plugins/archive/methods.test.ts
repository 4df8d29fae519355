/** Archives by methods that the programs which read them do not know, or misread. */
import t from 'tap'
import { stored } from '../../fixtures/files.ts'
import { packing } from './packing.ts'

const { failure } = await packing(t)

t.test('7z by methods that no program reads are refused, with the name of the method', async (t) => {
  for (const [file, name] of [
    ['brotli', 'Brotli'],
    ['brotli-small', 'Brotli'],
    ['zstd-small', 'Zstandard'],
    ['lz4', 'LZ4'],
  ])
    t.match(await failure(stored(`${file}.7z`), '7z>zip'), {
      code: 'CONVERSION_ERROR',
      message: `The archive is compressed by ${name}, which cannot be read inside 7z`,
    })
})
