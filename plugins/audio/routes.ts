import { ffmpeg } from '../../engines/ffmpeg.ts'
import type { Route } from '../../kernel/contract.ts'
import { film } from '../formats/film/films.ts'
import { sound } from '../formats/sound/sounds.ts'
import { convert, speak } from './convert.ts'
import { optimise } from './optimise.ts'
import type { AudioOptions } from './options.ts'
import { targets } from './targets.ts'

const from = [...sound, ...film]
const plain = { index: 0, type: 'audio', codec: '', seconds: 1, rate: 44100, channels: 2, depth: 16 } as const

/** One route per target, because each needs its own encoder. */
export const routes: readonly Route<AudioOptions>[] = [
  ...Object.entries(targets).map(([to, { coder }]) => ({
    from,
    to: [to],
    engine: ffmpeg,
    needs: [coder(plain).encoder],
    steps: convert,
  })),
  { from, to: ['amr'], engine: ffmpeg, steps: speak },
  { transform: ['mp3', 'm4a', 'ogg', 'flac', 'wav'], engine: ffmpeg, steps: optimise },
]
