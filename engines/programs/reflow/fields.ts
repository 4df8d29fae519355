import { type Box, centred, type Field, height, type Word, width } from './model.ts'

/** Horizontal distance of a word from a box. */
const distance = (word: Word, box: Box) => Math.max(word.box[0] - box[2], box[0] - word.box[2], 0)

/** The nearest word whose line runs through a box. */
function neighbour(words: readonly Word[], box: Box): Word | undefined {
  const middle = (box[1] + box[3]) / 2
  const beside = words.filter(
    ({ base, size, turn }) =>
      turn === 0 && Math.abs(base - 0.35 * size - middle) < Math.max(0.6 * size, height(box) / 3),
  )
  return beside.toSorted((a, b) => distance(a, box) - distance(b, box))[0]
}

/**
 * Words with the values of a form: check boxes and radio buttons are words that show their state, and values of one
 * line stand on the line of the text beside them.
 */
export function withFields(words: readonly Word[], fields: readonly Field[]): Word[] {
  if (fields.length === 0) return [...words]
  const inField = new Map<Word, Field>()
  for (const word of words) {
    const field = fields.find(({ box }) => centred(word.box, box))
    if (field) inField.set(word, field)
  }
  const free = words.filter((word) => !inField.has(word))
  const values = fields.flatMap((field): Word[] => {
    const { box, sign } = field
    if (width(box) <= 0 || height(box) <= 0) return []
    const beside = neighbour(free, box)
    if (sign !== undefined) {
      const size = beside?.size ?? Math.min(12, height(box))
      const base = beside?.base ?? (box[1] + box[3]) / 2 + 0.35 * size
      const { font = '', colour = 0 } = beside ?? {}
      return sign ? [{ text: sign, box, base, size, font, colour, turn: 0, spaced: true }] : []
    }
    const own = words.filter((word) => inField.get(word) === field)
    const isLine = own.every(({ base }) => Math.abs(base - own[0]!.base) < 1)
    if (!beside || !isLine || !own[0] || Math.abs(beside.base - own[0].base) > beside.size) return own
    return own.map((word) => ({ ...word, base: beside.base }))
  })
  return [...free, ...values]
}
