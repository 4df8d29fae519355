/**
 * Makes types for openapi-fetch: `generate.mjs DOCUMENT OUTPUT`. Files become Blob, as the tool's documentation shows.
 */
import { readFile, writeFile } from 'node:fs/promises'
import openapi, { astToString } from 'openapi-typescript'
import ts from 'typescript'

const [document, output] = process.argv.slice(2)
const blob = ts.factory.createTypeReferenceNode('Blob')
const transform = (schema) => (schema.format === 'binary' ? blob : undefined)
await writeFile(output, astToString(await openapi(JSON.parse(await readFile(document, 'utf8')), { transform })))
