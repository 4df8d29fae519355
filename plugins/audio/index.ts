import type { Plugin } from '../../kernel/contract.ts'
import { declared } from '../formats/family.ts'
import { sounds } from '../formats/sound/sounds.ts'
import { losses } from './losses.ts'
import { type AudioOptions, options, presets } from './options.ts'
import { routes } from './routes.ts'

/** Audio, from audio files and from the audio of videos. */
export default {
  category: 'audio',
  formats: declared(sounds),
  options,
  presets,
  wanted: ['mp3', 'wav', 'flac', 'm4a', 'ogg', 'aac', 'opus', 'aiff', 'wma', 'm4r', 'm4b', 'ac3'],
  losses,
  routes,
} satisfies Plugin<AudioOptions>
