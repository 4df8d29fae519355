import type { Plugin } from '../../kernel/contract.ts'

/** Options of vector targets. */
export interface VectorOptions {
  density?: number
}

export const options: Plugin<VectorOptions>['options'] = {
  density: {
    title: 'Resolution',
    unit: 'dpi',
    type: 'integer',
    minimum: 36,
    maximum: 1200,
    default: 150,
    description: 'Resolution in dpi of rasterised parts, and of traced pictures, which sets their size.',
  },
}
