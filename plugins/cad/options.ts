import type { Plugin } from '../../kernel/contract.ts'

/** Options of CAD targets. */
export interface CadOptions {
  density?: number
}

export const options: Plugin<CadOptions>['options'] = {
  density: {
    title: 'Resolution',
    unit: 'dpi',
    type: 'integer',
    minimum: 36,
    maximum: 1200,
    default: 150,
    // Solids and meshes are not rasterised.
    effect: ['dxf'],
    description: 'Resolution in dpi of traced pictures, which sets their size.',
  },
}
