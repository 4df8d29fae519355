import { icns2png } from '../../engines/icns2png.ts'
import { iconReader, icons } from '../../engines/icons.ts'
import { opjDecompress } from '../../engines/openjpeg.ts'
import type { Decoder, Encoder } from './codec.ts'

export const icnsDecoders: readonly Decoder[] = [
  {
    engine: icns2png,
    from: ['icns'],
    largest: true,
    decode: (_, run, { folder }) => run(icns2png, [], { output: folder }),
  },
  {
    engine: iconReader,
    from: ['icns'],
    decode: (_, run, { folder }) => run(iconReader, ['png'], { output: `${folder}/001.png` }),
  },
  {
    engine: iconReader,
    uses: [opjDecompress],
    from: ['icns'],
    decode: async (job, run, { folder }) => {
      const input = `${job.scratch}/icon.jp2`
      await run(iconReader, ['jp2'], { output: input })
      await run(opjDecompress, [], { input, output: `${folder}/001.png` })
    },
  },
]

/** `side`: the largest picture that the format holds. */
const write = (to: readonly string[], side: number): Encoder => ({
  engine: icons,
  to,
  side,
  encode: (job, run, picture) => run(icons, [job.to], picture),
})

export const iconEncoders: readonly Encoder[] = [write(['ico', 'cur'], 256), write(['icns'], 1024)]
