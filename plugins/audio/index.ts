import type { Plugin } from '../../kernel/contract.ts'
import { formats } from './formats.ts'
import { type AudioOptions, options } from './options.ts'

/** Sound, from sound files and from the sound of videos. */
export default {
  category: 'audio',
  formats,
  options,
  wanted: ['mp3', 'wav', 'flac', 'm4a', 'ogg', 'aac', 'opus', 'aiff', 'wma', 'm4r', 'm4b', 'ac3'],
  routes: [],
} satisfies Plugin<AudioOptions>
