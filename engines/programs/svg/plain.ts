/** Decompresses or copies a drawing: `plain.ts INPUT OUTPUT`. */
import { writeFileSync } from 'node:fs'
import { read } from './read.ts'

const [input, output] = process.argv.slice(2) as [string, string]
writeFileSync(output, read(input))
