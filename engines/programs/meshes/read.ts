/** Writes the objects that a 3MF package builds as binary STL: `read.ts INPUT.3mf OUTPUT.stl`. */
import { readFileSync, writeFileSync } from 'node:fs'
import { refuse } from '../refusal/refusal.ts'
import { readMembers } from '../repack/members.ts'
import { built } from './package.ts'

const [input, output] = process.argv.slice(2) as [string, string]
const corners = built(await members())
if (corners.length === 0) refuse('The model contains no triangles')
if (!corners.every(Number.isFinite)) refuse('The model has vertices with non-finite coordinates')

const stl = Buffer.alloc(84 + (corners.length / 9) * 50)
stl.writeUInt32LE(corners.length / 9, 80)
// Normals stay 0: readers compute them.
for (let at = 0; at < corners.length; at++)
  stl.writeFloatLE(corners[at]!, 84 + 50 * Math.floor(at / 9) + 12 + 4 * (at % 9))
writeFileSync(output, stl)

async function members() {
  try {
    return await readMembers(readFileSync(input))
  } catch {
    return refuse('The model is damaged, or larger than 1 GB')
  }
}
