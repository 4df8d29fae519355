import type { Plugin } from '../../kernel/contract.ts'
import { declared } from '../formats/family.ts'
import { films } from '../formats/film/films.ts'
import { mayCopy } from './copying.ts'
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
  // Others begin as light. If the streams then show that pictures must be encoded all the same, that step is heavy.
  heavy: ({ from, to, size, options: { resolution, codec, crf, bitrate, framerate } }) =>
    size > MAX_COPIED ||
    !mayCopy(from, to) ||
    [resolution, codec, crf, bitrate, framerate].some((option) => option !== undefined),
} satisfies Plugin<VideoOptions>
