/** Summarises TAP 14: one line per test file, and each failed assertion with its location and reason. */
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'

export interface Totals {
  pass: number
  fail: number
  skip: number
}

/** Reads tap's output to its end and reports it through `print`. Resolves to the totals of assertions. */
export async function reportTap(stream: Readable, print: (line: string) => void): Promise<Totals> {
  const totals: Totals = { pass: 0, fail: 0, skip: 0 }
  /** Names of the subtests around the current line, by depth. */
  let open: string[] = []
  let inDiagnosis = false
  let afterFailure = false
  for await (const line of createInterface({ input: stream })) {
    const text = line.trimStart()
    const depth = (line.length - text.length) / 4
    if (afterFailure) inDiagnosis = text === '---'
    afterFailure = false
    if (inDiagnosis) {
      if (text) print(line)
      inDiagnosis = text !== '...'
    } else if (text.startsWith('# Subtest: ')) {
      open = [...open.slice(0, depth), text.slice('# Subtest: '.length)]
    } else if (depth === 0 && /^(not )?ok /.test(text)) {
      print(
        text.replace(/^(not )?ok \d+ - /, (_, not?: string) => (not ? 'FAILED ' : 'passed ')).replace(/ # time=/, ', '),
      )
    } else if (/^not ok \d+ - /.test(text) && !/ # (TODO|SKIP)/.test(text)) {
      const name = text.replace(/^not ok \d+ - /, '')
      // A failed subtest adds nothing to the reports of its own assertions.
      if (open[depth] !== undefined && name.startsWith(open[depth])) continue
      print(`FAILED ${[...open.slice(0, depth), name].join(' > ')}`)
      afterFailure = true
    } else if (depth === 0 && text.startsWith('# { total: ')) {
      for (const key of ['pass', 'fail', 'skip'] as const)
        totals[key] = Number(new RegExp(`${key}: (\\d+)`).exec(text)?.[1] ?? 0)
    }
  }
  return totals
}
