import type { Plugin } from '../../kernel/contract.ts'
import { drawings } from '../formats/drawing.ts'
import { declared } from '../formats/family.ts'
import { detours } from './detours.ts'
import { editable } from './editable.ts'
import { options, type VectorOptions } from './options.ts'
import { conversions, drawnPict } from './routes.ts'

const megabyte = 1_000_000

/** Drawings, from drawings and from traced pictures. */
export default {
  category: 'vector',
  formats: declared(drawings),
  options,
  wanted: ['svg', 'pdf', 'png', 'jpg', 'eps', 'webp', 'emf', 'ps', 'dxf', 'wmf', 'odg', 'tif'],
  routes: [...conversions, ...editable, ...detours, ...drawnPict],
  // CAD drawings are drawn part by part.
  heavy: ({ from, size }) => size > (from === 'dxf' || from === 'dwg' ? 1 : 20) * megabyte,
} satisfies Plugin<VectorOptions>
