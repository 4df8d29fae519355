import { coverTag } from '../../engines/cover-tag.ts'
import { cp } from '../../engines/cp.ts'
import { ffmpeg } from '../../engines/ffmpeg.ts'
import { ffprobe } from '../../engines/ffprobe.ts'
import { amrWriter, gstreamer } from '../../engines/gstreamer.ts'
import { sox } from '../../engines/sox.ts'
import type { Route } from '../../kernel/contract.ts'
import { film } from '../formats/film/films.ts'
import { sound } from '../formats/sound/sounds.ts'
import { convert, speak } from './convert.ts'
import { optimise } from './optimise.ts'
import type { AudioOptions } from './options.ts'
import { targets } from './targets.ts'

const from = [...sound, ...film]
const plain = { index: 0, type: 'audio', codec: '', seconds: 1, rate: 44100, channels: 2, depth: 16 } as const

/** A route a target, since each needs its encoder. */
export const routes: Route<AudioOptions>[] = [
  ...Object.entries(targets).map(([to, { coder }]) => ({
    ...{ from, to: [to], engine: ffmpeg, needs: [coder(plain).encoder], uses: [ffprobe, sox, coverTag] },
    convert,
  })),
  { from, to: ['amr'], engine: ffmpeg, uses: [ffprobe, sox, gstreamer, amrWriter], convert: speak },
  {
    transform: ['mp3', 'm4a', 'ogg', 'flac', 'wav'],
    engine: ffmpeg,
    uses: [ffprobe, sox, coverTag, cp],
    convert: optimise,
  },
]
