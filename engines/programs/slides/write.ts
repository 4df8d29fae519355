/** Makes one HTML file from the slides of a flat OpenDocument presentation: `write.ts INPUT OUTPUT [--marks]`. */
import { readFileSync, writeFileSync } from 'node:fs'
import { page } from '../text/markup.ts'
import { flowing } from './flowing.ts'
import { headOf } from './head.ts'

const [input, output, marks] = process.argv.slice(2) as [string, string, string?]
const xml = readFileSync(input, 'utf8')
const { title, head } = headOf(xml)
writeFileSync(output, page(flowing(xml, marks === '--marks'), head, title))
