import { StringDecoder } from 'node:string_decoder'

/** Limits on the output read from a program, which may print anything. */
const MAX_LINE = 8 * 1024
const KEPT = { lines: 200, characters: 64 * 1024 }
const BUDGET = 16 * 1024 ** 2
/** Maximum lines read from one chunk; once the budget is spent, maximum lines and bytes. */
const BURST = 256
const SPENT = { lines: 8, bytes: 1024 }

/** Splits one output stream into lines, each cut at 8 Ki characters. LF, CR or both end a line; drops empty lines. */
export function createSplitter(emit: (line: string) => void) {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  let read = 0

  return {
    /** Takes one chunk of output. Reads only the end of a flood, which could otherwise block the event loop. */
    write(chunk: Buffer) {
      read += chunk.length
      const spent = read > BUDGET
      const parts = (rest + decoder.write(spent ? chunk.subarray(-SPENT.bytes) : chunk)).split(/[\r\n]+/)
      rest = parts.pop()!.slice(0, MAX_LINE)
      for (const part of parts.slice(spent ? -SPENT.lines : -BURST)) if (part) emit(part.slice(0, MAX_LINE))
    },
    end() {
      if (rest) emit(rest)
      rest = ''
    },
    /** Renews the budget when a long-lived process starts its next job. */
    reset() {
      read = 0
    },
  }
}

/** Keeps the last lines of a program's output: at most 200 lines and 64 Ki characters. */
export function createTail() {
  const lines: string[] = []
  let characters = 0
  return {
    lines: lines as readonly string[],
    push(line: string) {
      lines.push(line)
      characters += line.length
      while (lines.length > KEPT.lines || characters > KEPT.characters) characters -= lines.shift()!.length
    },
  }
}
