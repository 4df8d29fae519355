import type { Loss } from '../../kernel/contract.ts'
import type { ImageOptions } from './options.ts'
import { targetsWith } from './targets.ts'

/** Sources whose picture is put together from layers. */
const layered = ['psd', 'psb', 'xcf']

const opaque = targetsWith((target) => target.opaque)
const undescribed = targetsWith((target) => !target.exif)

/** What pictures lose, for reports. */
export const losses: readonly Loss<ImageOptions>[] = [
  { kind: 'alpha', when: { to: opaque, more: { clear: [true] } } },
  { kind: 'animation', when: { more: { stilled: [true] } } },
  { kind: 'layers', when: { from: layered } },
  { kind: 'metadata', when: { options: { stripMetadata: [true] } } },
  { kind: 'metadata', when: { to: undescribed, more: { exif: ['found'] } } },
  { kind: 'streams', when: { to: ['gif'] }, names: ({ more }) => more?.movie?.others ?? [] },
]
