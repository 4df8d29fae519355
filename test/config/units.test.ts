import t from 'tap'
import { parseBytes, parseDuration } from '../../config/units.ts'

t.test('sizes are decimal', async (t) => {
  for (const [given, bytes] of [
    ['25MB', 25e6],
    ['2 GB', 2e9],
    ['1.5kb', 1500],
    [17, 17],
    ['17', 17],
    ['3B', 3],
  ] as const) {
    t.equal(parseBytes(given), bytes, String(given))
  }
})

t.test('plain durations are seconds', async (t) => {
  for (const [given, ms] of [
    ['15m', 9e5],
    ['2h', 7.2e6],
    ['30s', 3e4],
    ['7d', 6.048e8],
    ['5ms', 5],
    [120, 1.2e5],
  ] as const) {
    t.equal(parseDuration(given), ms, String(given))
  }
})

t.test('anything else is refused', async (t) => {
  for (const text of [
    '',
    'MB',
    '-1',
    '1e9',
    '25MiB',
    '1,5GB',
    '0x10',
    ' 5',
    '1 h 5',
    '9'.repeat(16),
    'Infinity',
    true,
    null,
  ]) {
    t.equal(parseBytes(text), undefined, String(text))
    t.equal(parseDuration(text), undefined, String(text))
  }
})
