import { lazyTexts } from '../texts/lazy-texts.ts'
import type { Texts } from '../texts/texts.ts'
import en from './texts/en.json'

export type AccountTexts = Texts<keyof typeof en>

/** Returns the texts of an account in the page's language; undefined while they are loaded. */
export const useAccountTexts = lazyTexts(en, {
  ar: () => import('./texts/ar.json'),
  de: () => import('./texts/de.json'),
  es: () => import('./texts/es.json'),
  fr: () => import('./texts/fr.json'),
  ja: () => import('./texts/ja.json'),
  pt: () => import('./texts/pt.json'),
  zh: () => import('./texts/zh.json'),
})
