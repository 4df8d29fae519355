/** Scans are read in the configured languages. */
import t from 'tap'
import makeDocument from '../../../plugins/document/index.ts'
import makeEbook from '../../../plugins/ebook/index.ts'
import { english } from '../../fixtures/prose.ts'
import { album, scan, wordErrorRate, wordsOf } from '../../fixtures/scan.ts'
import { studio } from '../../harness/studio.ts'

t.test('the configuration chooses the languages', async (t) => {
  const settings = { ocr: { languages: ['deu', 'eng'] } }
  for (const { routes } of [makeDocument({ settings }), makeEbook({ settings })]) {
    const steps = routes.flatMap((route) => ('steps' in route ? route.steps : []))
    const now = { facts: { more: {} } } as never
    const asked = steps.flatMap((step) =>
      step.engine.name === 'ocr' && 'args' in step ? [step.args?.({} as never, now)] : [],
    )
    const languages = asked.flatMap((args) =>
      ['layer', 'text', 'flow'].includes(String(args?.[0])) ? [args?.[1]] : [],
    )
    t.strictSame([...new Set(languages)], ['deu,eng'])
  }
})

t.test('a scan becomes text, page by page', { timeout: 3_600_000 }, async (t) => {
  await using own = await studio()
  const page = await scan([{ text: english.split('\n\n')[0]!, font: 'Liberation Serif' }])
  const { bytes, progress } = await own.convert(await album([page]), 'pdf>txt')
  t.ok(wordErrorRate(wordsOf(english.split('\n\n')[0]!), wordsOf(bytes.toString())) <= 0.03, bytes.toString())
  t.ok(
    progress.some((fraction) => fraction > 0 && fraction < 1),
    progress.join(' '),
  )
})
