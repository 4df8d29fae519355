/** Rewrites a text in UTF-8: `write.ts INPUT OUTPUT [--unnamed]`. */
import { readFile, writeFile } from 'node:fs/promises'
import { decoded } from '../text/decoded.ts'
import { unnamed } from '../text/entities.ts'

const [input, output, unnaming] = process.argv.slice(2) as [string, string, string?]
const DECLARED = /(<\?xml[^>]{0,200}encoding=["'])[\w-]+|(<meta[^>]{0,200}charset=["']?\s*)[\w-]+/gi
const text = decoded(await readFile(input)).replace(/^\ufeff/, '')
const head = text.slice(0, 8192).replace(DECLARED, (_, xml, page) => `${xml ?? page}utf-8`)
// Browsers take a page that declares no character set for Windows-1252.
const silent = /^\s*(<!doctype html|<html)/i.test(head) && !/charset/i.test(head)
const said = silent ? head.replace(/<head\b[^>]*>/i, (tag) => `${tag}<meta charset="utf-8">`) : head
const all = said + text.slice(8192)
await writeFile(output, unnaming ? unnamed(all) : all)
