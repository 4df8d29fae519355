/** Scans become text. */
import t from 'tap'
import { english } from '../../fixtures/prose.ts'
import { album, scan, wordErrorRate, wordsOf } from '../../fixtures/scan.ts'
import { bare } from '../bare.ts'

t.test('a scan becomes text, page by page', { timeout: 3_600_000 }, async (t) => {
  const own = await bare(t, ['document'])
  const page = await scan([{ text: english.split('\n\n')[0]!, font: 'Liberation Serif' }])
  const { bytes, progress } = await own.convert(await album([page]), 'pdf>txt')
  t.ok(wordErrorRate(wordsOf(english.split('\n\n')[0]!), wordsOf(bytes.toString())) <= 0.03, bytes.toString())
  t.ok(
    progress.some((fraction) => fraction > 0 && fraction < 1),
    progress.join(' '),
  )
})
