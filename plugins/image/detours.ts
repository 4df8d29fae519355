import type { Route } from '../../kernel/contract.ts'
import { encoders } from './encoders.ts'
import type { ImageOptions } from './options.ts'
import { writable } from './sharp.ts'

/** Everything that is written, but svg and the like. */
const targets = [...new Set([...writable, ...encoders.flatMap(({ to }) => to)])]

const drawings = ['fig', 'cdr', 'dxf', 'dwg']

const models = [
  ...['step', 'iges', 'brep', 'fcstd', 'stl', 'obj', 'ply', 'off', '3mf', 'amf', 'gltf', 'glb', 'fbx', 'dae', '3ds'],
  ...['x3d', 'x', 'lwo', 'ac', 'ase', 'blend', 'ifc', 'scad'],
]

/** Drawings and models as they are drawn: by what the other categories make of them. */
export const detours: Route<ImageOptions>[] = [{ from: [...drawings, ...models], to: targets, via: 'svg' }]
