/**
 * Rewrites a text in UTF-8: `write.ts INPUT OUTPUT [--unnamed] [--xhtml] [--complete] [--jats] [--wiki]
 * [--title TITLE]`.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { rewritten } from './rewritten.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    unnamed: { type: 'boolean' },
    xhtml: { type: 'boolean' },
    complete: { type: 'boolean' },
    jats: { type: 'boolean' },
    wiki: { type: 'boolean' },
    title: { type: 'string' },
  },
})
const [input, output] = positionals as [string, string]
await writeFile(output, rewritten(await readFile(input), values))
