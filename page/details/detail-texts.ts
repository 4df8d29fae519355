import { partTexts } from '../texts/part-texts.ts'
import en from './texts/en.json'

/** Returns the texts of options and comparisons in the page's language. */
export const useDetails = partTexts('details', en)
