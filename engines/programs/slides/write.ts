/** Makes one HTML file out of the slides of a flat OpenDocument presentation: `write.ts INPUT OUTPUT`. */
import { readFileSync, writeFileSync } from 'node:fs'
import { flowing } from './flowing.ts'

const [input, output] = process.argv.slice(2) as [string, string]
writeFileSync(
  output,
  `<!DOCTYPE html>\n<html><head><meta charset="utf-8"><title></title></head><body>\n${flowing(readFileSync(input, 'utf8'))}\n</body></html>\n`,
)
