import { recall } from '../../fixtures/story.ts'
import { textOf } from '../../matrix/document/text.ts'
import type { Feature } from '../family.ts'

/** Targets that hold text. */
export const texts = ['txt', 'md', 'html', 'docx', 'ocr.pdf']

/** Words of a picture of text, which the specimen states: a set of lower case words. */
export const words: Feature<ReadonlySet<string>> = {
  name: 'words',
  rule: (_, to) => (texts.includes(to) ? 'kept' : undefined),
  read: async ({ path, format, specimen }) =>
    format === specimen.from ? undefined : new Set([await textOf(path, format)]),
  differs: (wanted, got) => {
    const text = [...(got ?? [])].join(' ')
    const share = recall(text, wanted)
    return share < 0.95 ? `${Math.round(share * 100)} % of the words` : undefined
  },
}
