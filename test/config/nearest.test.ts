import t from 'tap'
import { nearest } from '../../kernel/nearest.ts'

t.test('the nearest candidate, within two edits or a third of its length', async (t) => {
  t.equal(nearest('retenton', ['retention', 'prefer']), 'retention')
  t.equal(nearest('MAXFILESIZE', ['maxFileSize']), 'maxFileSize')
  t.equal(nearest('conversionPerday', ['conversionsPerDay', 'bytesPerDay']), 'conversionsPerDay')
  t.equal(nearest('colour', ['queue', 'limits']), undefined)
  t.equal(nearest('x', []), undefined)
})
