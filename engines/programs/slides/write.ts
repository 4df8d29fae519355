/** Makes one HTML file from the slides of a flat OpenDocument presentation: `write.ts INPUT OUTPUT [--marks]`. */
import { readFileSync, writeFileSync } from 'node:fs'
import { page } from '../text/markup.ts'
import { flowing } from './flowing.ts'

const [input, output, marks] = process.argv.slice(2) as [string, string, string?]
writeFileSync(output, page(flowing(readFileSync(input, 'utf8'), marks === '--marks')))
