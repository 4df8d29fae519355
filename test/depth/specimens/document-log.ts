/** What texts by hand say, and how one becomes a specimen. */
import { writeFile } from 'node:fs/promises'
import type { Specimen } from '../family.ts'

/** What a reader finds in the log. */
export const log = {
  words: {
    text: 'Harbour log The gale reached the quay at dawn, says the station. one lantern lit two boats lost Losses at sea Boat Men Tern 007 Gull 12 tie the boat tight ring the bell Nobody slept.',
    beside: 'Log Ida Storm',
  },
  headings: [
    [1, 'Harbour log'],
    [2, 'Losses at sea'],
  ],
  lists: [
    [false, 'one lantern lit'],
    [false, 'two boats lost'],
    [true, 'tie the boat tight'],
    [true, 'ring the bell'],
  ],
  tables: [
    [
      ['Boat', 'Men'],
      ['Tern', '007'],
      ['Gull', '12'],
    ],
  ],
  links: [['the station', 'https://example.org/station']],
  ...{ bold: ['quay'], italic: ['gale'] },
} as const

type Encoding = BufferEncoding

/** The log by hand. `others` replaces what a reader finds; undefined is what the format has not. */
export const hand = (name: string, text: string, others: object = {}, encoding: Encoding = 'utf8'): Specimen => {
  const truth = Object.fromEntries(Object.entries({ ...log, ...others }).filter(([, value]) => value !== undefined))
  const make = (output: string) => writeFile(output, Buffer.from(text, encoding))
  return { name, from: name.slice(name.indexOf('.') + 1), maker: 'hand', features: Object.keys(truth), truth, make }
}

/** What plain words have not. */
export const bare = {
  headings: undefined,
  lists: undefined,
  tables: undefined,
  links: undefined,
  bold: undefined,
  italic: undefined,
}
