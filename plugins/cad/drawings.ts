import { rsvgConvert } from '../../engines/librsvg.ts'
import { pstoedit } from '../../engines/pstoedit.ts'
import type { Route } from '../../kernel/contract.ts'
import type { CadOptions } from './options.ts'

/** Outlines of drawings, in millimetres. Pictures in a drawing have none: it ends without a result. */
export const drawings: Route<CadOptions>[] = [
  {
    from: ['svg', 'svgz'],
    to: ['dxf'],
    engine: pstoedit,
    uses: [rsvgConvert],
    convert: async (job, run) => {
      const input = `${job.scratch}/drawing.eps`
      await run(rsvgConvert, ['-f', 'eps', '-d', 96, '-p', 96], { output: input })
      await run(pstoedit, ['-f', 'dxf: -mm'], { input })
    },
  },
  { from: ['pdf', 'eps', 'ps', 'ai', 'emf', 'wmf', 'fig'], to: ['dxf'], via: 'svg' },
  { from: ['png', 'jpg', 'webp', 'avif', 'gif'], to: ['dxf'], via: 'svg' },
]
