import type { Plugin } from '../../kernel/contract.ts'
import { drawings } from './drawings.ts'
import { formats } from './formats.ts'
import { meshRoutes } from './meshes.ts'
import { type CadOptions, options } from './options.ts'
import { solidRoutes } from './solids.ts'

/** Technical drawings, solids and meshes. */
export default {
  category: 'cad',
  formats,
  options,
  wanted: ['stl', 'obj', 'step', 'glb', '3mf', 'pdf', 'svg', 'png', 'dxf', 'ply', 'gltf', 'iges'],
  routes: [...drawings, ...meshRoutes, ...solidRoutes],
  heavy: ({ size }) => size > 30_000_000,
} satisfies Plugin<CadOptions>
