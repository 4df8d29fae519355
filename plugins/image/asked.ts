import type { Condition, Job } from '../../kernel/contract.ts'
import { type ImageOptions, options } from './options.ts'

type Keys = readonly (keyof ImageOptions)[]

/** Options that require other pixels than the source's. */
export const recoding = ['quality', 'maxWidth', 'maxHeight', 'targetSizeKb', 'lossless'] as const

/** Options that the source itself never meets, however small it is. */
export const replacing = ['maxWidth', 'maxHeight', 'stripMetadata', 'progressive'] as const

const meaningful = (keys: Keys, to: string) => keys.filter((key) => options[key].effect?.includes(to) ?? true)

/** True if a job has none of the options, or only those without an effect on the format. */
export const none = (keys: Keys, to: string): Condition<ImageOptions> => ({
  options: Object.fromEntries(meaningful(keys, to).map((key) => [key, [undefined, false]])),
})

/** Whether a job has one of the options, and it has an effect on the format. */
export const asks = (keys: Keys, { to, options }: Job<ImageOptions>) =>
  meaningful(keys, to).some((key) => options[key] !== undefined && options[key] !== false)
