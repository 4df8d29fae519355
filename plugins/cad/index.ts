import type { Plugin } from '../../kernel/contract.ts'
import { declared } from '../formats/family.ts'
import { meshes, plans, programs, solids } from '../formats/model/models.ts'
import { drawings } from './drawings.ts'
import { meshRoutes } from './meshes.ts'
import { type CadOptions, options } from './options.ts'
import { solidRoutes } from './solids.ts'

/** Technical drawings, solids and meshes. */
export default {
  category: 'cad',
  formats: declared(plans, solids, meshes, programs),
  options,
  wanted: ['stl', 'obj', 'step', 'glb', '3mf', 'pdf', 'svg', 'png', 'dxf', 'ply', 'gltf', 'iges'],
  routes: [...drawings, ...meshRoutes, ...solidRoutes],
  heavy: ({ size }) => size > 30_000_000,
} satisfies Plugin<CadOptions>
