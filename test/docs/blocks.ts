import { readFileSync } from 'node:fs'

/**
 * A fenced block of a document. Its first line has the language and instructions for tests: `file=PATH` writes the
 * block to that file, `part` marks a fragment, `skip` a command that tests cannot run (they only check its syntax).
 * Other `sh` blocks are run. An `output` block is the output of the previous `sh` block, where `…` stands for anything.
 */
export interface Block {
  language: string
  words: readonly string[]
  /** Path of the file to write the block to. */
  file: string | undefined
  text: string
  /** Line of the document where the block starts, from 1. */
  line: number
}

/** Returns the fenced blocks of a Markdown document, in order. @throws Error for a block that is not closed. */
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
