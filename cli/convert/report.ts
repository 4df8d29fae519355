import type { Progress } from '../../client/calls.ts'
import type { Conversion } from '../../client/records.ts'
import { CommandError } from '../../kernel/admin/command.ts'
import { escapeLine, printError, printJson, printLine } from '../../kernel/terminal.ts'
import { messageOf } from '../exit.ts'
import type { Item } from './tree.ts'

/** Whether a person watches: progress is for a terminal only. */
export const isTerminal: boolean = process.stderr.isTTY === true

/** Tells what happens. */
export interface Report {
  /** Undefined if nobody watches: then the client need not ask for the progress. */
  progress?: (item: Item, progress: Progress) => void
  /** @param output Where the result is; `-`: on standard output. */
  done(item: Item, output: string, conversion: Conversion): void
  failed(item: Item, error: unknown): void
  /** Removes what is only for the moment. */
  end(): void
}

/** Lines of JSON on standard output. */
export const jsonReport: Report = {
  done: ({ source }, output, conversion) =>
    printJson(JSON.stringify({ source, status: 'completed', output, conversion })),
  failed: ({ source }, error) => {
    const { code = 'FAILED' } = error as { code?: string }
    printJson(JSON.stringify({ source, status: 'failed', error: { code, message: messageOf(error) } }))
  },
  end: () => {},
}

/** Lines for people: results on standard output, errors on standard error, and bars there if it is a terminal. */
export function createReport(total: number): Report {
  const bars = isTerminal ? createBars(total) : undefined
  return {
    ...(bars && { progress: bars.show }),
    done({ source }, output) {
      bars?.remove(source)
      // The bytes went to standard output.
      if (output !== '-') printLine(`${source} -> ${output}`)
    },
    failed({ source }, error) {
      bars?.remove(source)
      const message = messageOf(error)
      const isNamed = error instanceof CommandError || message.startsWith(source)
      // A line break in a name would start a line that looks like one of ours.
      printError(escapeLine(`athanor: ${isNamed ? message : `${source}: ${message}`}`))
    },
    end: () => bars?.clear(),
  }
}

const WIDTH = 24
/** Milliseconds between two drawings. */
const PAUSE = 100

/** Bars at the bottom of a terminal, one for each file that is converted. */
function createBars(total: number) {
  const shown = new Map<string, Progress>()
  let ended = 0
  let lines = 0
  let last = 0

  function clear(): void {
    if (lines > 0) process.stderr.write(`\x1b[${lines}A\r\x1b[J`)
    lines = 0
  }

  function draw(): void {
    clear()
    const columns = process.stderr.columns || 80
    const bars = [...shown].map(([source, { phase, percent }]) => {
      const full = Math.round((WIDTH * percent) / 100)
      const bar = `[${'#'.repeat(full).padEnd(WIDTH, '.')}] ${String(percent).padStart(3)} % ${phase.padEnd(10)} `
      // Characters can be two columns wide. The end of a path says more than its beginning.
      return bar + escapeLine(source).slice(-Math.max(8, Math.floor((columns - bar.length - 1) / 2)))
    })
    if (total > 1) bars.push(`${ended} of ${total} files`)
    process.stderr.write(bars.map((bar) => `${bar}\n`).join(''))
    lines = bars.length
    last = performance.now()
  }

  return {
    clear,
    show({ source }: Item, progress: Progress): void {
      shown.set(source, progress)
      if (performance.now() - last > PAUSE) draw()
    },
    remove(source: string): void {
      shown.delete(source)
      ended++
      clear()
      // The line that follows is above the bars of the next drawing.
      last = 0
    },
  }
}
