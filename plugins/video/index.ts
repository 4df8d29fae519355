import type { Plugin } from '../../kernel/contract.ts'
import { declared } from '../formats/family.ts'
import { films } from '../formats/film/films.ts'
import { losses } from './losses.ts'
import { options, presets, rules, type VideoOptions } from './options.ts'
import { routes } from './routes.ts'

/** Bytes up to which a copy of the streams ends well within the time limit of light jobs. */
const MAX_COPIED = 200_000_000

/** Videos, encoded or moved to another container. */
export default {
  category: 'video',
  formats: declared(films),
  options,
  rules,
  presets,
  wanted: ['mp4', 'mp3', 'gif', 'webm', 'mov', 'mkv', 'avi', 'wav', 'm4a', 'wmv', 'mpg', 'flv'],
  losses,
  routes,
  // Smaller ones begin as light. If a look at the streams shows that pictures must be encoded, that step is heavy.
  heavy: ({ size, options: { resolution, codec, crf, bitrate, framerate } }) =>
    size > MAX_COPIED || [resolution, codec, crf, bitrate, framerate].some((option) => option !== undefined),
} satisfies Plugin<VideoOptions>
