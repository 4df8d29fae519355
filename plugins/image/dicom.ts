import { dcmj2pnm } from '../../engines/dcmj2pnm.ts'
import type { Reader } from './stages.ts'

export const dicomReader: Reader = {
  from: ['dcm'],
  pages: 'all',
  steps: [{ engine: dcmj2pnm, args: () => ['+on2', '+Wm', '--nointerlace', '+Fa'], output: 'decoded/page' }],
}
