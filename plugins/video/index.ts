import type { Plugin } from '../../kernel/contract.ts'
import { declared } from '../formats/family.ts'
import { films } from '../formats/film/films.ts'
import { light } from './light.ts'
import { options, presets, rules, type VideoOptions } from './options.ts'
import { routes } from './routes.ts'

/** Containers that can share streams, which are then copied. Other containers may need encoding. */
const siblings: Readonly<Record<string, readonly string[]>> = {
  ...{ mp4: ['mov'], mov: ['mp4'], f4v: ['mp4', 'mov'], mts: ['mp4', 'mov', 'mkv'] },
}

/** Videos, encoded or moved to another container. */
export default {
  category: 'video',
  formats: declared(films),
  options,
  rules,
  presets,
  wanted: ['mp4', 'mp3', 'gif', 'webm', 'mov', 'mkv', 'avi', 'wav', 'm4a', 'wmv', 'mpg', 'flv'],
  routes,
  heavy: ({ from, to, options: { resolution, codec, crf, bitrate, framerate } }) => {
    const asked = [resolution, codec, crf, bitrate, framerate].some((option) => option !== undefined)
    return asked || (from !== to && !siblings[from]?.includes(to))
  },
  light,
} satisfies Plugin<VideoOptions>
