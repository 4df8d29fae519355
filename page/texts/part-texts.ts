import { createTexts, type Lists, type Texts, useTexts } from './texts.ts'

/**
 * Returns a hook for the texts of a part of the page that is loaded later. The part has the English ones; another
 * language has come with the page.
 */
export function partTexts<English extends object>(part: keyof Lists, english: English) {
  type Own = Texts<keyof English & string>
  let made: { page: Texts; own: Own } | undefined
  return function usePartTexts(): Own {
    const page = useTexts()
    if (made?.page !== page) {
      const { language, lists } = page
      made = { page, own: createTexts(language, { ...lists, page: lists[part] ?? Object.values(english) }, english) }
    }
    return made.own
  }
}
