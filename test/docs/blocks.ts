import { readFileSync } from 'node:fs'

/**
 * A fenced block of a document. The line that opens it is its language, then words that say what it is for:
 * `file=PATH` is written to that file, `part` is a piece that does not stand by itself, `skip` is a command that tests
 * cannot give (only its syntax is checked). A `sh` block is run, and an `output` block is what the `sh` block before it
 * printed, `…` standing for anything.
 */
export interface Block {
  language: string
  words: readonly string[]
  /** Of a block that is a file: its path. */
  file: string | undefined
  text: string
  /** The line of the document where it opens, from 1. */
  line: number
}

/** The fenced blocks of a Markdown document, in their order. @throws Error for a block that never closes. */
export function blocksOf(path: string): Block[] {
  const lines = readFileSync(path, 'utf8').split('\n')
  const blocks: Block[] = []
  for (let at = 0; at < lines.length; at++) {
    const opening = /^```(\S*) ?(.*)$/.exec(lines[at]!)
    if (!opening) continue
    const end = lines.indexOf('```', at + 1)
    if (end < 0) throw new Error(`${path}:${at + 1}: this block never closes`)
    const words = opening[2]!.split(' ').filter(Boolean)
    const file = words.find((word) => word.startsWith('file='))?.slice('file='.length)
    blocks.push({ language: opening[1]!, words, file, text: `${lines.slice(at + 1, end).join('\n')}\n`, line: at + 1 })
    at = end
  }
  return blocks
}
