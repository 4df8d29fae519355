import { partTexts } from '../texts/part-texts.ts'
import type { Texts } from '../texts/texts.ts'
import en from './texts/en.json'

export type AccountTexts = Texts<keyof typeof en>

/** Returns the texts of an account in the page's language. */
export const useAccountTexts = partTexts('account', en)
