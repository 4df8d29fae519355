import pino from 'pino'
import t from 'tap'
import { createRowSweep } from '../../kernel/database/rows.ts'

function setUp(names: string, fails: (key: string) => boolean) {
  const left = new Set(names)
  const lines: { failed: number }[] = []
  const tried: string[] = []
  let time = 0
  const sweep = createRowSweep({
    list: async (_now, limit, except) => [...left].filter((key) => !except.includes(key)).slice(0, limit),
    keyOf: (key) => key,
    async erase(key) {
      tried.push(key)
      if (fails(key)) throw new Error('away')
      left.delete(key)
    },
    log: pino({}, { write: (line) => void lines.push(JSON.parse(line)) }),
  })
  const pass = (minutes: number) => {
    time += minutes * 60_000
  }
  return { left, lines, tried, pass, sweep: (limit: number) => sweep(time, limit) }
}

t.test('rows that fail are skipped, tried again later, and logged once a sweep', async (t) => {
  const stuck = new Set('ac')
  const { left, lines, sweep, pass } = setUp('abcdef', (key) => stuck.has(key))
  t.equal(await sweep(4), 4)
  t.strictSame([...left].join(''), 'acef')
  t.match(lines, [{ failed: 2, err: { message: 'away' } }])
  t.equal(await sweep(4), 2, 'they take no place of others')
  t.strictSame([...left].join(''), 'ac')
  stuck.delete('a')
  pass(9)
  t.equal(await sweep(4), 0)
  pass(1)
  t.equal(await sweep(4), 2)
  t.strictSame([...left].join(''), 'c')
  t.equal(lines.length, 2)
})

t.test('a sweep gives up if nothing can be removed', async (t) => {
  const { tried, sweep, lines } = setUp('abcdefg', () => true)
  t.equal(await sweep(5), 0, 'so that it is not called at once')
  t.equal(tried.join(''), 'abc')
  t.equal(await sweep(5), 0)
  t.equal(tried.join(''), 'abcdef', 'but tries others the next time')
  t.equal(lines.length, 2)
})
