import { dcmj2pnm } from '../../engines/dcmj2pnm.ts'
import type { Decoder } from './codec.ts'

export const dicomDecoder: Decoder = {
  engine: dcmj2pnm,
  from: ['dcm'],
  paged: true,
  decode: (_, run, { folder, pages }) =>
    run(dcmj2pnm, ['+on2', '+Wm', '--nointerlace', pages === 'all' && '+Fa'], {
      output: `${folder}/${pages === 'all' ? 'page' : '001.png'}`,
    }),
}
