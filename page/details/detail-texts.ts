import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { lazyTexts } from '../texts/lazy-texts.ts'
import type { Texts } from '../texts/texts.ts'
import en from './texts/en.json'

export type DetailTexts = Texts<keyof typeof en>

/** Returns the texts of options and comparisons in the page's language; undefined while they are loaded. */
export const useDetailTexts = lazyTexts(en, {
  ar: () => import('./texts/ar.json'),
  de: () => import('./texts/de.json'),
  es: () => import('./texts/es.json'),
  fr: () => import('./texts/fr.json'),
  ja: () => import('./texts/ja.json'),
  pt: () => import('./texts/pt.json'),
  zh: () => import('./texts/zh.json'),
})

const context = createContext<DetailTexts | undefined>(undefined)
export const DetailTextsProvider = context.Provider

/** Returns the texts that a component above has loaded. */
export const useDetails = (): DetailTexts => useContext(context)!
