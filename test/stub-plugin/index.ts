import type { OptionSchema, Plugin, PluginFactory } from '../../kernel/contract.ts'
import { type StubOptions, scribe } from './scribe.ts'

/** Settings that an operator can give it in the configuration. */
export interface StubSettings {
  /** Written above every text. Default: nothing. */
  heading?: string
}

/** Schema of the settings. */
export const settings = {
  type: 'object',
  properties: {
    heading: { type: 'string', description: 'Written above every text.' },
  },
}

const flag = (description: string): OptionSchema => ({ type: 'boolean', default: false, description })
const bounded = (maximum: number, description: string): OptionSchema => ({
  type: 'integer',
  minimum: 0,
  maximum,
  description,
})

const options: Plugin<StubOptions>['options'] = {
  sleep: bounded(600_000, 'Milliseconds of work, with a line of progress at every tenth.'),
  fail: { type: 'string', enum: ['refuse', 'encrypted', 'crash', 'silent'], description: 'How the job ends instead.' },
  hang: flag('Works for ever and says nothing.'),
  fork: bounded(1_000, 'Children that sleep for an hour, started and left behind.'),
  write: bounded(100_000, 'Megabytes of zeros written into the scratch folder.'),
  memory: bounded(100_000, 'Megabytes of memory filled and held.'),
  heavy: flag('Waits in the heavy lane.'),
}

/**
 * An external category, which the configuration names by path: two tiny text formats, and a program that misbehaves on
 * request as engines do, so that the kernel can be tested with jobs of known duration and fault.
 */
const factory: PluginFactory = ({ settings }) => {
  const { heading = '' } = settings as StubSettings
  const engine = scribe(heading)
  return {
    category: 'stub',
    formats: {
      stub: { mime: 'text/x-stub', label: 'Stub', aliases: ['stb'], sniff: startsWith('STUB') },
      bust: { mime: 'text/x-bust', label: 'Bust', sniff: startsWith('BUST') },
    },
    options,
    wanted: ['bust', 'stub'],
    routes: [
      { from: ['stub', 'bust'], to: ['stub', 'bust'], engine, args: ({ options }) => [JSON.stringify(options)] },
      { transform: ['stub'], engine, args: ({ options }) => [JSON.stringify(options)] },
    ],
    heavy: ({ options }) => options.heavy === true,
  } satisfies Plugin<StubOptions>
}

function startsWith(word: string): (head: Uint8Array) => boolean {
  return (head) => Buffer.from(head.subarray(0, word.length)).toString('latin1') === word
}

export default factory
