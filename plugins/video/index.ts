import type { Plugin } from '../../kernel/contract.ts'
import { formats } from './formats.ts'
import { options, rules, type VideoOptions } from './options.ts'

/** Moving pictures, recoded or put into another container. */
export default {
  category: 'video',
  formats,
  options,
  rules,
  wanted: ['mp4', 'mp3', 'gif', 'webm', 'mov', 'mkv', 'avi', 'wav', 'm4a', 'wmv', 'mpg', 'flv'],
  routes: [],
} satisfies Plugin<VideoOptions>
