import type { Plugin } from '../../kernel/contract.ts'
import { formats } from './formats.ts'
import { type AudioOptions, options } from './options.ts'
import { routes } from './routes.ts'
import { mayBeLong } from './sources.ts'

/** Sound, from sound files and from the sound of videos. */
export default {
  category: 'audio',
  formats,
  options,
  wanted: ['mp3', 'wav', 'flac', 'm4a', 'ogg', 'aac', 'opus', 'aiff', 'wma', 'm4r', 'm4b', 'ac3'],
  routes,
  heavy: ({ from, size, options }) => Boolean(options.normalize) && mayBeLong(from, size),
} satisfies Plugin<AudioOptions>
