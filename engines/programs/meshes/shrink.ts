/** `shrink.ts stl|glb INPUT OUTPUT`: what does not get smaller stays as it is. */
import { readFileSync, writeFileSync } from 'node:fs'
import { smallerGlb } from './smaller-glb.ts'
import { smallerStl } from './smaller-stl.ts'

const [format, input, output] = process.argv.slice(2) as ['stl' | 'glb', string, string]
const bytes = readFileSync(input)
const made = format === 'stl' ? smallerStl(bytes) : smallerGlb(bytes)
writeFileSync(output, made.length < bytes.length ? made : bytes)
