/** Writes the largest PNG or JPEG 2000 of an Apple icon: `read.ts KIND INPUT OUTPUT`, KIND is `png` or `jp2`. */
import { readFileSync, writeFileSync } from 'node:fs'
import { largest } from './icns.ts'

const [kind, input, output] = process.argv.slice(2) as ['png' | 'jp2', string, string]
const picture = largest(readFileSync(input), kind)
if (!picture) throw new Error(`the icon holds no ${kind}`)
writeFileSync(output, picture)
