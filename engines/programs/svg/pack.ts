/** Compresses a drawing: `pack.ts INPUT OUTPUT`. Equal drawings give equal results. */
import { writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { read } from './read.ts'

const [input, output] = process.argv.slice(2) as [string, string]
writeFileSync(output, gzipSync(read(input), { level: 9 }))
