import { useEffect, useState } from 'preact/hooks'
import { createTexts, type Module, type Texts, useTexts } from '../texts/texts.ts'
import en from './texts/en.json'

type AccountKey = keyof typeof en
export type AccountTexts = Texts<AccountKey>

const ENGLISH = { default: Object.values(en) }

/** Loaders of the texts of an account. English is in this part of the page. */
const LOADERS: Readonly<Record<string, () => Module>> = {
  en: async () => ENGLISH,
  ar: () => import('./texts/ar.json'),
  de: () => import('./texts/de.json'),
  es: () => import('./texts/es.json'),
  fr: () => import('./texts/fr.json'),
  ja: () => import('./texts/ja.json'),
  pt: () => import('./texts/pt.json'),
  zh: () => import('./texts/zh.json'),
}

/** The texts of an account in the page's language; undefined while they are loaded. */
export function useAccountTexts(): AccountTexts | undefined {
  const { language } = useTexts()
  const [texts, setTexts] = useState<AccountTexts>()
  useEffect(() => {
    const use = (module: Awaited<Module>) => setTexts(createTexts(language, module, Object.keys(en)))
    void LOADERS[language]!().then(use, () => use(ENGLISH))
  }, [language])
  return texts
}
