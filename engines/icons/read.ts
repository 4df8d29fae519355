/** Writes the largest PNG that an Apple icon holds: `read.ts INPUT OUTPUT`. */
import { readFileSync, writeFileSync } from 'node:fs'
import { largestPng } from './icns.ts'

const [input, output] = process.argv.slice(2) as [string, string]
const png = largestPng(readFileSync(input))
if (!png) throw new Error('the icon holds no PNG')
writeFileSync(output, png)
