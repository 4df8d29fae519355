import t from 'tap'
import { parseBytes, parseDuration } from '../../config/units.ts'
import { nearest } from '../../kernel/nearest.ts'

t.test('sizes are decimal', async (t) => {
  const sizes = { '25MB': 25e6, '2 GB': 2e9, '1.5kb': 1500, '17': 17, '3B': 3 }
  for (const [given, bytes] of Object.entries(sizes)) t.equal(parseBytes(given), bytes, given)
  t.equal(parseBytes(17), 17)
})

t.test('plain durations are seconds', async (t) => {
  const times = { '15m': 9e5, '2h': 7.2e6, '30s': 3e4, '7d': 6.048e8, '5ms': 5 }
  for (const [given, ms] of Object.entries(times)) t.equal(parseDuration(given), ms, given)
  t.equal(parseDuration(120), 1.2e5)
})

t.test('anything else is refused', async (t) => {
  const texts = ['', 'MB', '-1', '1e9', '25MiB', '1,5GB', '0x10', ' 5', '1 h 5', '9'.repeat(16), 'Infinity', true, null]
  for (const text of texts) {
    t.equal(parseBytes(text), undefined, String(text))
    t.equal(parseDuration(text), undefined, String(text))
  }
})

t.test('the nearest candidate, within two edits or a third of its length', async (t) => {
  t.equal(nearest('retenton', ['retention', 'prefer']), 'retention')
  t.equal(nearest('MAXFILESIZE', ['maxFileSize']), 'maxFileSize')
  t.equal(nearest('conversionPerday', ['conversionsPerDay', 'bytesPerDay']), 'conversionsPerDay')
  t.equal(nearest('colour', ['queue', 'limits']), undefined)
  t.equal(nearest('x', []), undefined)
})
