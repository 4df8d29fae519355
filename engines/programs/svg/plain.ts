/**
 * Decompresses or copies a drawing: `plain.ts INPUT OUTPUT [mended]`. With `mended`, more programs can read it, and
 * `text path` is printed if it has text along a path, and `html` if it has parts in HTML.
 */
import { writeFileSync } from 'node:fs'
import { mended } from './mended.ts'
import { read } from './read.ts'
import { hasHtml, hasTextPath } from './unsupported.ts'

const [input, output, task] = process.argv.slice(2) as [string, string, string?]
const drawing = read(input)
writeFileSync(output, task === 'mended' ? mended(drawing) : drawing)
if (task === 'mended' && hasTextPath(drawing)) console.log('text path')
if (task === 'mended' && hasHtml(drawing)) console.log('html')
