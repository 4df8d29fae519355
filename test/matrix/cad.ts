import type { Sample } from '../fixtures/sample.ts'
import { solid } from '../fixtures/solid.ts'
import { readModel } from './models.ts'
import { verifyOutlines } from './outlines.ts'
import { measure } from './shape.ts'
import { Unlike, type Verdict } from './verdict.ts'

/** A thousandth. */
const near = (got: number, wanted: number) => Math.abs(got - wanted) <= wanted / 1000

/**
 * Reads a model by another program than the one that wrote it, and holds triangles, sides and volume against the solid.
 * The volume is positive when the triangles look outwards.
 *
 * @throws Unlike what is not as it should be, or as the reader does when it cannot read the file.
 */
export async function verifyCad(path: string, to: string, source: Sample): Promise<Verdict> {
  if (!source.solid) return verifyOutlines(path, to, source)
  const { triangles, box, volume } = measure(await readModel(path, to))
  if (triangles !== solid.triangles) throw new Unlike(`${triangles} triangles instead of ${solid.triangles}`)
  if (!box.every((side, axis) => near(side, solid.box[axis]!)))
    throw new Unlike(`sides of ${box} instead of ${solid.box}`)
  if (!near(volume, solid.volume)) throw new Unlike(`a volume of ${volume} instead of ${solid.volume}`)
  return {}
}
