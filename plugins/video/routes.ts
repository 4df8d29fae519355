import { ffmpeg } from '../../engines/ffmpeg.ts'
import type { Route } from '../../kernel/contract.ts'
import { film } from '../formats/film/films.ts'
import { convert } from './convert.ts'
import { optimise } from './optimise.ts'
import type { VideoOptions } from './options.ts'
import { targets } from './targets.ts'

/** Video formats that can be read. */
const from = [...film, 'gif']

/** One route per target, because each needs its own encoders. */
export const routes: readonly Route<VideoOptions>[] = [
  ...Object.entries(targets).map(([to, { codec, coder }]) => ({
    from,
    to: [to],
    engine: ffmpeg,
    needs: [codec.encoder, coder.encoder],
    steps: convert,
  })),
  { transform: ['mp4', 'mov', 'mkv', 'webm'], engine: ffmpeg, steps: optimise },
]
