import { writeFile } from 'node:fs/promises'
import { withFolder } from '../../harness/folder.ts'
import { readModel } from '../../matrix/models.ts'
import { measure, type Shape } from '../../matrix/shape.ts'

/** Reads a model with another program than wrote it. Sides of its box and volume are rounded to millimetres. */
export const measured = (bytes: Buffer, format: string) =>
  withFolder(async (folder) => {
    await writeFile(`${folder}/model.${format}`, bytes)
    const shape: Shape = await readModel(`${folder}/model.${format}`, format)
    const { triangles, box, volume } = measure(shape)
    return { triangles, box: box.map(Math.round), volume: Math.round(volume) }
  })

/** The sides of its box as they are. */
export const sides = (bytes: Buffer, format: string) =>
  withFolder(async (folder) => {
    await writeFile(`${folder}/model.${format}`, bytes)
    return measure(await readModel(`${folder}/model.${format}`, format)).box
  })
