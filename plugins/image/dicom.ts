import { dcmj2pnm, dcml2pnm } from '../../engines/dcmj2pnm.ts'
import { jlsWrapper } from '../../engines/jls.ts'
import type { Engine } from '../../kernel/contract.ts'
import type { Reader } from './stages.ts'

const frames = (engine: Engine): Reader => ({
  from: ['dcm'],
  pages: 'all',
  steps: [{ engine, args: () => ['+on2', '+Wm', '--nointerlace', '+Fa'], output: 'decoded/page' }],
})

/** DICOM, with JPEG-LS or without. */
export const dicomReaders: readonly Reader[] = [frames(dcmj2pnm), frames(dcml2pnm)]

/** JPEG-LS whose colours alternate pixel by pixel, which FFmpeg makes black, as DICOM. */
export const jlsReader: Reader = {
  from: ['jls'],
  engine: dcml2pnm,
  steps: [
    { engine: jlsWrapper, output: 'picture.dcm' },
    { engine: dcml2pnm, args: () => ['+on2', '--nointerlace'], output: 'decoded/001.png' },
  ],
}
