/** Makes a model smaller, or copies it if that is impossible: `shrink.ts stl|glb INPUT OUTPUT`. */
import { readFileSync, writeFileSync } from 'node:fs'
import { smallerGlb } from './smaller-glb.ts'
import { smallerStl } from './smaller-stl.ts'

const [format, input, output] = process.argv.slice(2) as ['stl' | 'glb', string, string]
const bytes = readFileSync(input)
const made = format === 'stl' ? smallerStl(bytes) : smallerGlb(bytes)
writeFileSync(output, made.length < bytes.length ? made : bytes)
