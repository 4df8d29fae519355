import type { Plugin } from '../../kernel/contract.ts'
import { detours } from './detours.ts'
import { formats } from './formats.ts'
import { options, type VectorOptions } from './options.ts'
import { conversions } from './routes.ts'

/** Drawings, from drawings and by tracing pictures. */
export default {
  category: 'vector',
  formats,
  options,
  wanted: ['svg', 'pdf', 'png', 'jpg', 'eps', 'webp', 'emf', 'ps', 'dxf', 'wmf', 'odg', 'tif'],
  routes: [...conversions, ...detours],
  heavy: ({ size }) => size > 20_000_000,
} satisfies Plugin<VectorOptions>
