/** Texts that people write by hand, each markup in two habits. They lie in `files/document/`. */
import type { Specimen } from '../family.ts'
import { inFile } from '../saved.ts'

/** What a reader finds in the log. */
const log = {
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

/** Truths that replace those of the log. */
const named = { title: 'Log', author: 'Ida Storm' }
const titled = { title: 'Log' }
const without = (...names: string[]) => Object.fromEntries(names.map((name) => [name, undefined]))
const plain = without('headings', 'lists', 'tables', 'links', 'bold', 'italic')
const says = (text: string, beside?: string) => ({ ...plain, words: { text, ...(beside && { beside }) } })

const others: Readonly<Record<string, object>> = {
  'unix.txt': plain,
  'dos.txt': plain,
  'latin.txt': says(log.words.text.replace('Nobody', 'Zoë Größe')),
  'page.html': named,
  'soup.html': titled,
  'piece.xhtml': titled,
  'strict.xhtml': named,
  'hand.rtf': { ...without('headings', 'lists', 'links'), ...named, page: [200.025, 140.02] },
  // Word 2003 in XML.
  'wordml.doc': without('headings', 'lists', 'links', 'bold', 'italic'),
  'hand.mht': titled,
  'plain.eml': says(
    log.words.text,
    'From To Subject Date Log Ida Storm example org harbour Sat Saturday Jan January 2020 0000',
  ),
  'hashes.md': {},
  'underlined.md': named,
  'simple.rst': without('headings'),
  'grid.rst': without('headings'),
  'outline.org': named,
  'plus.org': {},
  'article.tex': named,
  'macros.tex': {},
  'plain.textile': {},
  'styled.textile': {},
  'plain.wiki': {},
  'tagged.wiki': without('bold', 'italic'),
  'article.adoc': named,
  'listed.adoc': {},
  'five.dbk': named,
  'article.jats.xml': named,
  'outline.opml': {
    ...says('Harbour log The gale reached the quay at dawn. Losses at sea', log.words.beside),
    headings: log.headings,
    bold: log.bold,
    italic: log.italic,
    title: 'Log',
  },
  'flat.opml': says('Harbour log Losses & more'),
  'notebook.ipynb': {},
  'code.ipynb': { ...says('Harbour log print(anchors) forty fathoms'), headings: [[1, 'Harbour log']] },
}

/** Specimens by hand. */
export const handDocuments: readonly Specimen[] = Object.entries(others).map(([name, other]) => {
  const truth = Object.entries({ ...log, ...other }).filter(([, value]) => value !== undefined)
  return inFile('document', name, Object.fromEntries(truth))
})
