import { StringDecoder } from 'node:string_decoder'

/** Bounds of what is read from a program that may print anything. */
const WIDTH = 8 * 1024
const KEPT = { lines: 200, characters: 64 * 1024 }
const BUDGET = 16 * 1024 ** 2
/** Lines looked at in what is read at once, and, with the budget spent, lines and bytes. */
const BURST = 256
const SPENT = { lines: 8, bytes: 1024 }

/** Splits one output stream into lines (ended by LF, CR or both; empty ones are left out), each cut at 8 KiB. */
export function createSplitter(emit: (line: string) => void) {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  let read = 0

  return {
    /** Takes what was read. Of a flood only the end is looked at, so that it cannot keep the event loop busy. */
    write(chunk: Buffer) {
      read += chunk.length
      const spent = read > BUDGET
      const parts = (rest + decoder.write(spent ? chunk.subarray(-SPENT.bytes) : chunk)).split(/[\r\n]+/)
      rest = parts.pop()!.slice(0, WIDTH)
      for (const part of parts.slice(spent ? -SPENT.lines : -BURST)) if (part) emit(part.slice(0, WIDTH))
    },
    end() {
      if (rest) emit(rest)
      rest = ''
    },
    /** Starts a new budget, when a long-lived process starts its next job. */
    reset() {
      read = 0
    },
  }
}

/** The last lines of a program's output: 200 of them, and 64 Ki characters, at most. */
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
