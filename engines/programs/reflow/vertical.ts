import { around, type Page, type Word } from './model.ts'
import { turnedPage } from './turning.ts'

const CJK =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u30ff\uff00-\uffef\ufe10-\ufe4f\u2e80-\u2fdf]+$/u
/** Fewest letters below each other of a page in vertical writing. */
const FEWEST = 8

const middle = ({ box }: Word) => (box[0] + box[2]) / 2

/** Whether a letter stands right below another one. */
function follows(above: Word, below: Word): boolean {
  const size = Math.max(above.size, below.size)
  const step = below.box[1] - above.box[3]
  return Math.abs(middle(above) - middle(below)) < 0.2 * size && Math.abs(step) < 0.45 * size && alike(above, below)
}

const alike = (above: Word, below: Word) =>
  Math.abs(above.size - below.size) < 0.1 * Math.max(above.size, below.size) && above.bold === below.bold

/** Whether most letters of a page follow each other from top to bottom. */
function isVertical(words: readonly Word[]): boolean {
  const letters = words.filter(({ text, turn }) => turn === 0 && CJK.test(text))
  const down = letters.filter((word, index) => index > 0 && follows(letters[index - 1]!, word)).length
  return down >= FEWEST && down > 0.5 * letters.length && letters.length > 0.5 * words.length
}

/** The letters of a column as words, in the order of the page. */
function columns(words: readonly Word[]): Word[] {
  const joined: Word[] = []
  let last: Word | undefined
  for (const word of words) {
    const above = joined.at(-1)
    if (above && last && word.turn === 0 && last.turn === 0 && follows(last, word)) {
      above.text += word.text
      above.box = around([above.box, word.box])
    } else joined.push({ ...word })
    last = word
  }
  return joined
}

/** Turns a page in vertical writing, so that its columns from right to left become lines from top to bottom. */
export function level(page: Page): Page {
  if (!isVertical(page.words)) return page
  const turned = turnedPage({ ...page, words: columns(page.words) }, 90)
  return {
    ...turned,
    words: turned.words.map((word) => {
      const base = (word.box[1] + word.box[3]) / 2 + 0.35 * word.size
      return { ...word, base, turn: word.turn === -90 ? 0 : word.turn }
    }),
  }
}
