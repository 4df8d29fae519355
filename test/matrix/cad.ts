import type { Sample } from '../fixtures/sample.ts'
import { solid } from '../fixtures/solid.ts'
import { readModel } from './models.ts'
import { verifyOutlines } from './outlines.ts'
import { measure } from './shape.ts'
import { Unlike } from './verdict.ts'

/** A thousandth. */
const near = (got: number, wanted: number) => Math.abs(got - wanted) <= wanted / 1000

/**
 * Reads a model with another program than its writer, and compares triangles, sides and volume with the solid. The
 * volume is positive if the triangles face outwards.
 *
 * @throws Unlike if something differs, and the reader's error if it cannot read the file.
 */
export async function verifyCad(path: string, to: string, source: Sample): Promise<void> {
  if (!source.solid) return verifyOutlines(path, to, source)
  const { triangles, box, volume } = measure(await readModel(path, to))
  if (triangles !== solid.triangles) throw new Unlike(`${triangles} triangles instead of ${solid.triangles}`)
  if (!box.every((side, axis) => near(side, solid.box[axis]!)))
    throw new Unlike(`sides of ${box} instead of ${solid.box}`)
  if (!near(volume, solid.volume)) throw new Unlike(`a volume of ${volume} instead of ${solid.volume}`)
}
