/** Models in other units than millimetres. */
import { readFile } from 'node:fs/promises'
import t from 'tap'
import { threeMf } from '../../fixtures/models.ts'
import { sample } from '../../fixtures/samples.ts'
import { solid } from '../../fixtures/solid.ts'
import { studio } from '../../harness/studio.ts'
import { sides } from './measured.ts'

t.setTimeout(30 * 60_000)
const { convert, ...rest } = await studio()
t.teardown(() => rest[Symbol.asyncDispose]())

const boxOf = async (source: Buffer | string, from: string) =>
  sides((await convert(Buffer.from(source), `${from}>stl`)).bytes, 'stl')
const isScaled = (given: readonly number[], scale: number) =>
  given.every((side, at) => Math.abs(side / solid.box[at]! / scale - 1) < 1e-4)

t.test('3mf becomes millimetres, in one part or several', async (t) => {
  for (const [unit, split, scale] of [
    ['micron', false, 0.001],
    ['centimeter', false, 10],
    ['foot', false, 304.8],
    ['meter', true, 1000],
    ['inch', true, 25.4],
  ] as const) {
    const box = await boxOf(await threeMf(split, unit), '3mf')
    t.ok(isScaled(box, scale), `${unit}, ${split ? 'in parts' : 'whole'}: ${box}`)
  }
})

t.test('amf becomes millimetres', async (t) => {
  const text = await readFile((await sample('amf')).path, 'utf8')
  for (const [unit, scale] of Object.entries({ feet: 304.8, meter: 1000 })) {
    const box = await boxOf(text.replace('millimeter', unit), 'amf')
    t.ok(isScaled(box, scale), `${unit}: ${box}`)
  }
  const instance = (x: number) => `<instance objectid="0"><deltax>${x}</deltax><deltay>0</deltay></instance>`
  const instances = `<constellation id="9">${instance(0)}${instance(100)}</constellation></amf>`
  const across = await boxOf(text.replace('millimeter', 'inch').replace('</amf>', instances), 'amf')
  t.ok(across[2]! > 100 * 25.4 && across[2]! < 135 * 25.4, `placed 100 inches apart: ${across} mm`)
})
