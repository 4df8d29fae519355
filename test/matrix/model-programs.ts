import { readFile } from 'node:fs/promises'
import { program } from '../fixtures/program.ts'
import { withFolder } from '../harness/folder.ts'
import { groups, type Shape } from './shape.ts'

/** Triangles of a binary STL. */
export function stl(bytes: Buffer): Shape {
  const count = bytes.readUInt32LE(80)
  if (bytes.length !== 84 + 50 * count) throw new Error('not a binary STL')
  return Array.from({ length: count }, (_, facet) =>
    groups(
      Array.from({ length: 9 }, (_, at) => bytes.readFloatLE(96 + 50 * facet + 4 * at)),
      3,
    ),
  )
}

/** Files of our own writer, which assimp reads and exports as STL. */
export const byAssimp = (path: string) =>
  withFolder(async (folder) => {
    await program('assimp', 'export', path, `${folder}/model.stl`, '-fstlb', '-tri')
    return stl(await readFile(`${folder}/model.stl`))
  })

const byGmsh = (path: string, sizes: readonly (string | number)[]) =>
  withFolder(async (folder) => {
    const target = ['-bin', '-format', 'stl', '-o', `${folder}/model.stl`]
    await program('gmsh', path, '-2', '-v', '1', '-clmax', '1000', ...sizes, ...target)
    return stl(await readFile(`${folder}/model.stl`))
  })

/**
 * Reads solids with Gmsh, which does not write them here. Algorithm 3 adds no points, so a flat face has two triangles
 * fewer than vertices.
 */
export const flatly = (path: string) => byGmsh(path, ['-clmin', '1000', '-setnumber', 'Mesh.Algorithm', '3'])

/** Reads a solid with Gmsh. Its curved faces are followed closely, with 36 points around a circle. */
export const readCurved = (path: string): Promise<Shape> =>
  byGmsh(path, ['-setnumber', 'Mesh.MeshSizeFromCurvature', 36])
