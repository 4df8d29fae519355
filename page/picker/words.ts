import { useTexts } from '../texts/texts.ts'
import en from './texts/en.json'

/** What targets are for (`purpose.…`), and what people say for them (`search.…`), in one language. */
export type Words = Readonly<Record<keyof typeof en, string>>

/** They are found in every language. */
export const ENGLISH: Words = en

/** Returns the words of the page's language. */
export function useWords(): Words {
  const own = useTexts().lists.picker
  return own ? (Object.fromEntries(Object.keys(en).map((key, at) => [key, own[at]])) as Words) : ENGLISH
}
