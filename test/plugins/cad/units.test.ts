/** Models in other units than millimetres. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import t from 'tap'
import { threeMf } from '../../fixtures/models.ts'
import { sample } from '../../fixtures/samples.ts'
import { solid } from '../../fixtures/solid.ts'
import { readModel } from '../../matrix/models.ts'
import { measure } from '../../matrix/shape.ts'
import { workshop } from '../vector/workshop.ts'

t.setTimeout(60 * 60_000)

const { convert, ...rest } = await workshop()
const folder = mkdtempSync('/tmp/athanor-units-')
t.teardown(() => rest[Symbol.asyncDispose]())
t.teardown(() => rmSync(folder, { recursive: true }))

async function sides(bytes: Buffer, format: string) {
  writeFileSync(`${folder}/model.${format}`, bytes)
  return measure(await readModel(`${folder}/model.${format}`, format)).box
}

const near = (given: readonly number[], wanted: readonly number[]) =>
  given.every((side, at) => Math.abs(side / wanted[at]! - 1) < 1e-4)

const scales = { micron: 0.001, centimeter: 10, inch: 25.4, foot: 304.8, meter: 1000 }

t.test('3mf becomes millimetres, in one part or several', async (t) => {
  for (const [unit, scale] of Object.entries(scales))
    for (const split of [false, true]) {
      const { bytes } = await convert(await threeMf(split, unit), '3mf', 'stl')
      const box = await sides(bytes, 'stl')
      t.ok(
        near(
          box,
          solid.box.map((side) => side * scale),
        ),
        `${unit}, ${split}: ${box}`,
      )
    }
  for (const split of [false, true])
    for (const to of ['obj', 'step', 'iges', 'brep', 'amf', 'glb', 'off']) {
      const box = await sides((await convert(await threeMf(split, 'inch'), '3mf', to)).bytes, to)
      const wanted = solid.box.map((side) => side * 25.4)
      t.ok(near([...box].sort(byNumber), [...wanted].sort(byNumber)), `${to}, ${split}: ${box}`)
    }
})

const byNumber = (a: number, b: number) => a - b

t.test('amf becomes millimetres', async (t) => {
  const text = readFileSync((await sample('amf')).path, 'utf8')
  for (const [unit, scale] of Object.entries({ ...scales, feet: 304.8 })) {
    const box = await sides((await convert(text.replace('millimeter', unit), 'amf', 'stl')).bytes, 'stl')
    t.ok(
      near(
        box,
        solid.box.map((side) => side * scale),
      ),
      `${unit}: ${box}`,
    )
  }
  const placed = text
    .replace('millimeter', 'inch')
    .replace('</amf>', `<constellation id="9">${[0, 100].map(instance).join('')}</constellation></amf>`)
  const across = await sides((await convert(placed, 'amf', 'stl')).bytes, 'stl')
  t.ok(across[2]! > 100 * 25.4 && across[2]! < 135 * 25.4, `placed 100 inches apart: ${across} mm`)
})

const instance = (x: number) => `<instance objectid="0"><deltax>${x}</deltax><deltay>0</deltay></instance>`
