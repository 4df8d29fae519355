/** The content of text documents as Markdown, and what a reader must find. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pandoc } from '../../fixtures/office.ts'
import { tidy } from '../readers/tree.ts'

export const title = 'Tidewater Ledger'
export const author = 'Marit Oldenburg'

const body = `# Lighthouse harbour

The keeper wrote *seventeen* letters before the **northern** gale arrived, and paid 273.879.750[^1] for [lamp oil](https://example.org/oil?a=1&b=2) and rope.

## Provisions aboard

- barrels of salted herring
- candles and matches

They did these things in this order:

1. hoist the signal lantern
2. measure the falling barometer

### Words of the sea

Ωκεανός means ocean, мореплавание means seafaring, and café naïve Übergröße are words.

| Vessel    | Tonnage | Captain  |
|-----------|---------|----------|
| Albatross | 04821   | Marigold |
| Cormorant | 1937.5  | Thaddeus |
| Dunlin    | -7650   | Ysolde   |

> Calm water never taught anybody steering.

## Departure morning

The tidal constant was the phrase that nobody remembered when they finally weighed anchor and left.
`
const note = 'Counted twice by the harbour master.'

/** With metadata and the note. */
const markdown = `---\ntitle: ${title}\nauthor: ${author}\n---\n\n${body}\n[^1]: ${note}\n`

const words = tidy(body.replace(/\[\^1\]|\]\([^)]*\)|^\|-.*$|[#*>[|]|^- |^\d\. /gm, ' '))

/** What a reader finds in it. */
export const report = {
  words: { text: words, beside: `${note} ${title} ${author}` },
  headings: [...body.matchAll(/^(#+) (.*)$/gm)].map(([, marks, text]) => [marks!.length, text!]),
  lists: [...body.matchAll(/^(-|\d\.) (.*)$/gm)].map(([, mark, text]) => [mark !== '-', text!]),
  tables: [[...body.matchAll(/^\|( .*)\|$/gm)].map(([, row]) => row!.split('|').map((cell) => cell.trim()))],
  notes: [note],
  links: [['lamp oil', 'https://example.org/oil?a=1&b=2']],
  title,
  author,
  bold: ['northern'],
  italic: ['seventeen'],
}

/** What a reader finds in the page with a picture. */
export const leaf = {
  words: {
    text: 'Harbour chart The beacon stands on a round hill. Beyond it lies the open sea.',
    beside: `${title} ${author}`,
  },
  headings: [[1, 'Harbour chart']],
  title,
  author,
  page: [200, 140],
  pictures: ['#cc2200 on glass'],
} as const

/** Writes the report by pandoc. Returns the output's path. */
export async function reportBy(output: string, scratch: string): Promise<string> {
  const input = join(scratch, 'report.md')
  await writeFile(input, markdown)
  await pandoc(input, output)
  return output
}

/** What a reader finds in the log, which people write by hand. It lies in `files/document/`. */
export const log = {
  words: {
    text: 'Harbour log The gale reached the quay at dawn, says the station. one lantern lit two boats lost Losses at sea Boat Men Tern 007 Gull 12 tie the boat tight ring the bell Nobody slept.',
    beside: 'Log Ida Storm',
  },
  headings: ['1 Harbour log', '2 Losses at sea'].map((line) => [Number(line[0]), line.slice(2)]),
  lists: [
    ...['one lantern lit', 'two boats lost'].map((item) => [false, item]),
    ...['tie the boat tight', 'ring the bell'].map((item) => [true, item]),
  ],
  tables: [['Boat Men', 'Tern 007', 'Gull 12'].map((row) => row.split(' '))],
  links: [['the station', 'https://example.org/station']],
  bold: ['quay'],
  italic: ['gale'],
}
