import { icns2png } from '../../engines/icns2png.ts'
import { iconReader, icons } from '../../engines/icons.ts'
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
    decode: (_, run, { folder }) => run(iconReader, [], { output: `${folder}/001.png` }),
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
