import { useEffect, useState } from 'preact/hooks'
import { createTexts, type Module, type Texts, useTexts } from './texts.ts'

/**
 * Returns a hook for the texts of a part of the page that is loaded later. The hook returns undefined while they are
 * loaded.
 *
 * @param english The English texts, which that part has. @param loaders Those of the other languages.
 */
export function lazyTexts<English extends object>(english: English, loaders: Readonly<Record<string, () => Module>>) {
  const own = { default: Object.values(english) }
  return function useLazyTexts(): Texts<keyof English & string> | undefined {
    const { language } = useTexts()
    const [texts, setTexts] = useState<Texts<keyof English & string>>()
    useEffect(() => {
      const use = (module: Awaited<Module>) => setTexts(createTexts(language, module, Object.keys(english)))
      if (loaders[language]) void loaders[language]().then(use, () => use(own))
      else use(own)
    }, [language])
    return texts
  }
}
