import { dcmj2pnm, dcml2pnm } from '../../engines/dcmj2pnm.ts'
import { jlsWrapper } from '../../engines/jls.ts'
import type { Engine } from '../../kernel/contract.ts'
import type { Reader } from './stages.ts'

/** PNG of 16 bits, of all frames. */
const plain = ['+on2', '--nointerlace', '+Fa']

/**
 * Grey levels as the first window of the file shows them, as viewers do; without one, from the darkest to the
 * brightest.
 */
const frames = (engine: Engine): Reader => ({
  from: ['dcm'],
  pages: 'all',
  steps: [
    { engine, args: () => ['+Wi', 1, plain], output: 'decoded/page', optional: true },
    { engine, when: { not: { written: 'decoded/page' } }, args: () => ['+Wm', plain], output: 'decoded/page' },
  ],
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

/** Lossless JPEG, and JPEG of 12 bits, which only DCMTK's own copies of libjpeg read, as DICOM. */
export const jpegReader: Reader = {
  from: ['jpg'],
  engine: dcmj2pnm,
  steps: [
    { engine: jlsWrapper, output: 'picture.dcm' },
    { engine: dcmj2pnm, args: () => ['+on2', '--nointerlace'], output: 'decoded/001.png' },
  ],
}
