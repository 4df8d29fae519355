/** Summarises TAP 14: one line per test file, and each failed assertion with its location and reason. */
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'

export interface Totals {
  pass: number
  fail: number
  skip: number
  /** Failures because a program is not installed. They are among `fail`. */
  missing: number
  /** Milliseconds of each file. */
  files: Map<string, number>
}

/** What a failure prints if a program is missing: see `test/fixtures/program.ts`. */
const absence = /(\S+) is not installed[:;] (?:run )?(apt-get install \S+)/

/** Reads tap's output to its end and reports it through `print`. Resolves to the totals of assertions. */
export async function reportTap(stream: Readable, print: (line: string) => void): Promise<Totals> {
  const totals: Totals = { pass: 0, fail: 0, skip: 0, missing: 0, files: new Map() }
  /** Names of the subtests around the current line, by depth. */
  let open: string[] = []
  /** The lines of the failure that is being read. */
  let failure: string[] | undefined
  let inDiagnosis = false
  const flush = () => {
    if (!failure) return
    const [, program, command] = absence.exec(failure.join('\n')) ?? []
    if (program) {
      totals.missing++
      print(`MISSING ${failure[0]!.slice('FAILED '.length)}: ${program}; ${command}`)
    } else for (const line of failure) print(line)
    failure = undefined
    inDiagnosis = false
  }
  for await (const line of createInterface({ input: stream })) {
    const text = line.trimStart()
    const depth = (line.length - text.length) / 4
    if (failure && !inDiagnosis && text === '---') inDiagnosis = true
    else if (failure && !inDiagnosis) flush()
    if (inDiagnosis) {
      if (text) failure!.push(line)
      if (text === '...') flush()
    } else if (text.startsWith('# Subtest: ')) {
      open = [...open.slice(0, depth), text.slice('# Subtest: '.length)]
    } else if (depth === 0 && /^(not )?ok /.test(text)) {
      const [, not, name, time] = /^(not )?ok \d+ - (.*?)(?: # time=([\d.]+)ms)?$/.exec(text) ?? []
      if (name) totals.files.set(name, Number(time ?? 0))
      print(`${not ? 'FAILED' : 'passed'} ${name}${time ? `, ${time}ms` : ''}`)
    } else if (/^not ok \d+ - /.test(text) && !/ # (TODO|SKIP)/.test(text)) {
      const name = text.replace(/^not ok \d+ - /, '')
      // A failed subtest adds nothing to the reports of its own assertions.
      if (open[depth] !== undefined && name.startsWith(open[depth])) continue
      failure = [`FAILED ${[...open.slice(0, depth), name].join(' > ')}`]
    } else if (depth === 0 && text.startsWith('# { total: ')) {
      for (const key of ['pass', 'fail', 'skip'] as const)
        totals[key] = Number(new RegExp(`${key}: (\\d+)`).exec(text)?.[1] ?? 0)
    }
  }
  flush()
  return totals
}
