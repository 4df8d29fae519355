import { icns2png } from '../../engines/icns2png.ts'
import { iconReader, icons } from '../../engines/icons.ts'
import { opjDecompress } from '../../engines/openjpeg.ts'
import { eachPage, type Reader, type Writer } from './stages.ts'

export const icnsReaders: readonly Reader[] = [
  {
    from: ['icns'],
    pages: 'largest',
    steps: [{ engine: icns2png, output: 'decoded/' }],
  },
  {
    from: ['icns'],
    steps: [{ engine: iconReader, args: () => ['png'], output: 'decoded/001.png' }],
  },
  {
    from: ['icns'],
    steps: [
      { engine: iconReader, args: () => ['jp2'], output: 'icon.jp2' },
      { engine: opjDecompress, output: 'decoded/001.png' },
    ],
  },
]

export const iconWriter: Writer = {
  to: ['ico', 'cur', 'icns'],
  steps: [{ engine: icons, ...eachPage, args: (job) => [job.to] }],
}
