import type { Engine, Job, Run } from '../kernel/contract.ts'
import { program } from './node/program.ts'

const { command, ...own } = program('blend/open.ts')

/** Makes scenes of Blender up to 3.6 readable for assimp 5.2, which knows them until 3.0; their normals are then wrong. */
export const blendOpener: Engine = {
  ...own,
  name: 'blend-opener',
  argv: (job) => [command, job.input, job.output],
}

/** Gives the place of a job's scene, opened for assimp. */
export async function openScene({ scratch }: Job, run: Run): Promise<string> {
  const output = `${scratch}/scene.blend`
  await run(blendOpener, [], { output })
  return output
}
