import { useEffect, useState } from 'preact/hooks'
import type { Module } from '../texts/texts.ts'
import en from './texts/en.json'

/** What targets are for (`purpose.…`), and what people say for them (`search.…`), in one language. */
export type Words = Readonly<Record<keyof typeof en, string>>

/** Loaders of the words of each language. English ones are found in every language. */
const LOADERS: Readonly<Record<string, () => Module>> = {
  ar: () => import('./texts/ar.json'),
  de: () => import('./texts/de.json'),
  es: () => import('./texts/es.json'),
  fr: () => import('./texts/fr.json'),
  ja: () => import('./texts/ja.json'),
  pt: () => import('./texts/pt.json'),
  zh: () => import('./texts/zh.json'),
}

export const ENGLISH: Words = en

/** Returns the words of a language; English ones until they are loaded. */
export function useWords(language: string): Words {
  const [words, setWords] = useState(ENGLISH)
  useEffect(() => {
    const use = ({ default: values }: Awaited<Module>) =>
      setWords(Object.fromEntries(Object.keys(en).map((key, at) => [key, (values as string[])[at]!])) as Words)
    void LOADERS[language]?.().then(use, () => {})
  }, [language])
  return words
}
