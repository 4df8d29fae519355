import type { Route } from '../../kernel/contract.ts'
import type { DocumentOptions } from './options.ts'

/** Drawings and models that the vector category reads: on a page of their size. */
export const drawings: Route<DocumentOptions>[] = [
  {
    from: [
      ...['dxf', 'dwg', 'fig', 'scad', 'step', 'iges', 'brep', 'fcstd'],
      ...['stl', 'obj', 'ply', 'off', '3mf', 'amf', 'gltf', 'glb', 'fbx', 'dae', '3ds', 'x3d', 'x', 'lwo', 'ac'],
      ...['ase', 'blend', 'ifc'],
    ],
    to: ['pdf'],
    via: 'svg',
  },
]
