/** Solids by FreeCAD, which takes seconds for each. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import t from 'tap'
import { sample } from '../../fixtures/samples.ts'
import { bare } from '../bare.ts'
import { human } from '../image/pictures.ts'

t.setTimeout(30 * 60_000)
const { convert, failure } = await bare(t, ['cad'])

const extra = { skip: !existsSync('/usr/bin/freecadcmd') && 'FreeCAD is not installed' }

t.test('damaged solids are refused', extra, async (t) => {
  for (const from of ['step', 'iges', 'brep', 'fcstd'] as const) {
    const whole = await readFile((await sample(from)).path)
    for (const bytes of [Buffer.from('This is no model at all. '.repeat(40)), whole.subarray(0, whole.length / 3)]) {
      const { code, message } = await failure(bytes, `${from}>stl`)
      t.equal(code, 'CONVERSION_ERROR', from)
      t.match(message, human, from)
    }
  }
})

t.test('the number of triangles that become faces is limited', extra, async (t) => {
  const count = 20_001
  const many = Buffer.alloc(84 + 50 * count)
  many.writeUInt32LE(count, 80)
  for (let at = 0; at < count; at++)
    for (const [part, number] of [at, 0, 0, at + 0.5, 0, 0, at, 1, 0].entries())
      many.writeFloatLE(number, 96 + 50 * at + 4 * part)
  const { code, message } = await failure(many, 'stl>step')
  t.equal(code, 'RESOURCE_LIMIT')
  t.match(message, /20001 triangles; at most 20000/)
})

t.test('a FreeCAD document shows visible shapes in their positions', extra, async (t) => {
  const text = (await convert((await sample('fcstd')).path, 'fcstd>obj')).bytes.toString()
  const xs = [...text.matchAll(/^v +([-\d.e]+)/gm)].map(([, x]) => Number(x))
  t.strictSame([Math.min(...xs), Math.max(...xs)], [12, 42], 'moved by 7, and once')
})
