import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import en from './en.json'

export type Key = keyof typeof en
type Plural = Partial<Record<Intl.LDMLPluralRule, string>>
export type Table<K extends string = Key> = Partial<Record<K, string | Plural>>

/** The languages of the page, by their own names. English is bundled; the others are loaded on demand. */
export const LANGUAGES: Readonly<Record<string, { name: string; load: () => Promise<Table> }>> = {
  en: { name: 'English', load: async () => en },
  de: { name: 'Deutsch', load: async () => (await import('./de.json')).default },
}

/** The texts of one language. */
export interface Texts<K extends string = Key> {
  language: string
  /** Returns the text of a key. Replaces `{name}` with a value. `count` selects the plural form. */
  t(key: K, values?: Readonly<Record<string, string | number>>): string
  /** Returns the text of a key that may not exist. */
  has(key: string): key is K
  number(value: number): string
  /** Formats bytes in decimal units, such as 4.2 MB. */
  bytes(value: number): string
  percent(share: number): string
  /** Formats how long ago something was. */
  ago(time: number): string
  /** Formats in how long something will be. */
  until(time: number): string
  /** Formats a duration in its largest unit, such as 2 hours. */
  span(milliseconds: number): string
}

/** Returns the given language, or the best match for the browser's languages. */
export function chooseLanguage(chosen: string | undefined, wanted: readonly string[]): string {
  const candidates = [chosen ?? '', ...wanted.map((tag) => tag.split('-')[0]!)]
  return candidates.find((tag) => Object.hasOwn(LANGUAGES, tag)) ?? 'en'
}

export async function loadTexts(language: string): Promise<Texts> {
  return createTexts<Key>(language, await LANGUAGES[language]!.load(), en)
}

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const
const SPANS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const

/** @param english Has every key. */
export function createTexts<K extends string>(
  language: string,
  table: Table<K>,
  english: Record<K, string | Plural>,
): Texts<K> {
  const plurals = new Intl.PluralRules(language)
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  const whole = (value: number) => new Intl.NumberFormat(language).format(value)
  const largest = (milliseconds: number) => SPANS.find(([, size]) => milliseconds >= size) ?? SPANS[3]
  return {
    language,
    t(key, values = {}) {
      const entry: string | Plural = table[key] ?? english[key]
      const text = typeof entry === 'string' ? entry : formOf(entry, plurals.select(Number(values.count)))
      return text.replace(/\{(\w+)\}/g, (_, name) => {
        const value = values[name]!
        return typeof value === 'number' ? whole(value) : value
      })
    },
    has: (key): key is K => Object.hasOwn(english, key),
    number: whole,
    bytes(value) {
      const at = Math.min(UNITS.length - 1, value < 1000 ? 0 : Math.floor(Math.log10(value) / 3))
      const shown = value / 1000 ** at
      const digits = at > 0 && shown < 10 ? 1 : 0
      const style = { style: 'unit', unit: UNITS[at]!, maximumFractionDigits: digits } as const
      return new Intl.NumberFormat(language, { ...style, unitDisplay: at ? 'short' : 'long' }).format(shown)
    },
    percent: (share) => new Intl.NumberFormat(language, { style: 'percent' }).format(share),
    ago(time) {
      const passed = Math.max(0, Date.now() - time)
      const [unit, size] = largest(passed)
      return passed < 10_000 ? relative.format(0, 'second') : relative.format(-Math.round(passed / size), unit)
    },
    until(time) {
      const left = Math.max(60_000, time - Date.now())
      const [unit, size] = largest(left)
      return relative.format(Math.round(left / size), unit)
    },
    span(milliseconds) {
      const [unit, size] = largest(milliseconds)
      const style = { style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits: 1 } as const
      return new Intl.NumberFormat(language, style).format(milliseconds / size)
    },
  }
}

const formOf = (forms: Plural, form: Intl.LDMLPluralRule) => forms[form] ?? forms.other ?? ''

const Context = createContext<Texts | undefined>(undefined)
export const TextsProvider = Context.Provider
/** The texts in the page's language. */
export const useTexts = (): Texts => useContext(Context)!
