/** Writes a DWG drawing as text DXF: `dxf.ts INPUT.dwg OUTPUT.dxf`. */
import { readFileSync, writeFileSync } from 'node:fs'
import * as module from '@mlightcad/libredwg-web'
import { refuse } from '../refusal/refusal.ts'
import { lostIn, type Objects } from './lost.ts'
import { completed, type Layer, mend, namesIn } from './mend.ts'
import { textOf } from './pairs.ts'

/** The functions that we use. TypeScript does not find the library's own types. */
interface Library extends Objects {
  dwg_write_dxf(dwg: ArrayBuffer): Uint8Array | undefined
  dwg_read_data(dwg: ArrayBuffer, type: number): number | undefined
  convert(drawing: number): { tables: { LAYER: { entries: Layer[] } } }
}

const { LibreDwg, Dwg_File_Type } = module as unknown as {
  LibreDwg: { create(): Promise<Library> }
  Dwg_File_Type: { DWG: number }
}

const [input, output] = process.argv.slice(2) as [string, string]

function damaged(): never {
  refuse('The drawing is damaged or of an unsupported version')
}

const bytes = readFileSync(input)
const dwg = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)
const library = await LibreDwg.create()
try {
  const dxf = library.dwg_write_dxf(dwg)
  const drawing = library.dwg_read_data(dwg, Dwg_File_Type.DWG)
  if (!dxf?.length || !drawing) damaged()
  const { tables } = library.convert(drawing)
  const pairs = mend(Buffer.from(dxf).toString('utf8'), tables.LAYER.entries)
  const { version, ...names } = namesIn(pairs)
  // Since 2013, lengths have a code for large numbers.
  const { found, unknown } = lostIn(library, drawing, { ...names, length: version < 'AC1027' ? 92 : 160 })
  writeFileSync(output, textOf(completed(pairs, found)))
  if (unknown.length) console.error(`left out ${unknown.join(', ')}, which cannot be read`)
} catch {
  damaged()
}
// Exit at once: the library's exit handler prints.
process.exit(0)
