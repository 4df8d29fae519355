import { epub } from '../../engines/epub.ts'
import { plain } from '../../engines/plain.ts'
import { packageFacts, repack, showMetafiles } from '../../engines/repack.ts'
import type { Step } from '../../kernel/contract.ts'
import type { DocumentOptions } from './options.ts'
import { documents, markups, pages } from './pandoc.ts'

/** Makes the source one that pandoc reads completely. */
export const legible: readonly Step<DocumentOptions>[] = [
  // Pandoc reads books with plain paths in UTF-8 only, and locked ones as far as it goes.
  { engine: epub, when: { from: ['epub'] }, args: () => ['--clean', '--flat'], output: 'clean.epub' },
  // Pandoc reads UTF-8 only.
  {
    engine: plain,
    when: { from: [...Object.keys(markups), ...Object.keys(pages), 'fb2'] },
    args: ({ from }) => [
      from === 'xhtml' && '--xhtml',
      from === 'fb2' && '--unnamed',
      from in pages && '--complete',
      from === 'jats.xml' && '--jats',
      from === 'wiki' && '--wiki',
    ],
    output: 'plain.{from}',
  },
  // Pandoc skips text boxes, and knows headings by the name of their style.
  {
    engine: repack,
    when: { from: Object.keys(documents) },
    args: () => ['--flow'],
    facts: packageFacts,
    output: 'flowing.{from}',
  },
]

/** The same, with pictures that every reader shows. */
export const visible: readonly Step<DocumentOptions>[] = [...legible, showMetafiles]
