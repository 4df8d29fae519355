/** Makes a model smaller, or copies it if that is impossible: `optimise.ts stl|glb INPUT OUTPUT`. */
import { readFileSync, writeFileSync } from 'node:fs'
import { optimiseGlb } from './optimise-glb.ts'
import { optimiseStl } from './optimise-stl.ts'

const [format, input, output] = process.argv.slice(2) as ['stl' | 'glb', string, string]
const bytes = readFileSync(input)
const made = format === 'stl' ? optimiseStl(bytes) : optimiseGlb(bytes)
writeFileSync(output, made.length < bytes.length ? made : bytes)
