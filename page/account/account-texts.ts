import { useEffect, useState } from 'preact/hooks'
import { createTexts, type Table, type Texts, useTexts } from '../texts/texts.ts'
import en from './texts/en.json'

type AccountKey = keyof typeof en
export type AccountTexts = Texts<AccountKey>

/** Loaders of the texts of an account. English is in this part of the page. */
const LOADERS: Readonly<Record<string, () => Promise<Table<AccountKey>>>> = {
  de: async () => (await import('./texts/de.json')).default,
}

/** The texts of an account in the page's language; undefined while they are loaded. */
export function useAccountTexts(): AccountTexts | undefined {
  const { language } = useTexts()
  const [texts, setTexts] = useState<AccountTexts>()
  useEffect(() => {
    const load = LOADERS[language]
    const use = (table: Table<AccountKey>) => setTexts(createTexts(language, table, en))
    if (load) void load().then(use, () => use(en))
    else use(en)
  }, [language])
  return texts
}
