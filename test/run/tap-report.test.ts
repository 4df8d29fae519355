import { Readable } from 'node:stream'
import t from 'tap'
import { reportTap } from './tap-report.ts'

const output = `TAP version 14
# Subtest: test/a.test.ts
    # Subtest: outer
        not ok 1 - sums
          ---
          diff: |
            -2

            +1
          ...
        ok 2 - should be equal
        not ok 3 - bare
        not ok 4 - later # TODO
        1..4
    not ok 1 - outer # time=6.445ms
      ---
      at: nowhere
      ...
    1..1
not ok 1 - test/a.test.ts # time=39.88ms
  ---
  exitCode: 1
  ...
ok 2 - test/b.test.ts # time=2ms
1..2
# { total: 9, pass: 6, fail: 2, skip: 1 }
# time=435.519ms
`

t.test('the report shows each failure once, with place and cause', async (t) => {
  const lines: string[] = []
  const totals = await reportTap(Readable.from([output]), (line: string) => lines.push(line.trim()))
  const files = new Map([
    ['test/a.test.ts', 39.88],
    ['test/b.test.ts', 2],
  ])
  t.strictSame(totals, { pass: 6, fail: 2, skip: 1, missing: 0, files })
  t.strictSame(lines, [
    'FAILED test/a.test.ts > outer > sums',
    '---',
    'diff: |',
    '-2',
    '+1',
    '...',
    'FAILED test/a.test.ts > outer > bare',
    'FAILED test/a.test.ts, 39.88ms',
    'passed test/b.test.ts, 2ms',
  ])
})

t.test('missing totals do not count as passed', async (t) => {
  t.strictSame(await reportTap(Readable.from(['TAP version 14\n']), () => {}), {
    pass: 0,
    fail: 0,
    skip: 0,
    missing: 0,
    files: new Map(),
  })
})

t.test('a missing program is reported with its package', async (t) => {
  const lines: string[] = []
  const failure =
    '    not ok 1 - reads a scan\n      ---\n      message: tesseract is not installed: apt-get install tesseract-ocr\n      ...\n'
  const { missing } = await reportTap(Readable.from([failure]), (line) => lines.push(line))
  t.equal(missing, 1)
  t.match(lines, ['MISSING reads a scan: tesseract; apt-get install tesseract-ocr'])
})
