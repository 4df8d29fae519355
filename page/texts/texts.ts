import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import en from './en.json'

export type Key = keyof typeof en
type Plural = Partial<Record<Intl.LDMLPluralRule, string>>
/**
 * The texts of one language, which set-up compiles from its JSON files: a list for the page and for each part that is
 * loaded later, in the order of the English keys. English has only the first: the parts have their own.
 */
export type Lists = { page: readonly unknown[] } & Partial<Record<'account' | 'details' | 'picker', readonly unknown[]>>

type Module = Promise<{ default: unknown }>

/** Loaders of the languages of the page. English is bundled; the others are loaded on demand. */
export const LANGUAGES: Readonly<Record<string, () => Module>> = {
  en: async () => ({ default: { page: Object.values(en) } }),
  ar: () => import('./ar.json'),
  de: () => import('./de.json'),
  es: () => import('./es.json'),
  fr: () => import('./fr.json'),
  ja: () => import('./ja.json'),
  pt: () => import('./pt.json'),
  zh: () => import('./zh.json'),
}

/** The texts of one language. */
export interface Texts<K extends string = Key> {
  language: string
  direction: 'ltr' | 'rtl'
  /** Those of the parts, too. */
  lists: Lists
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
  const candidates = [chosen ?? '', ...wanted.map((tag) => tag.split('-')[0]!.toLowerCase())]
  return candidates.find((tag) => Object.hasOwn(LANGUAGES, tag)) ?? 'en'
}

export async function loadTexts(language: string): Promise<Texts> {
  return createTexts<Key>(language, (await LANGUAGES[language]!()).default as Lists, en)
}

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const
/** Hebrew, Arabic and the scripts between and after them. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff]/
const SPANS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const

/** @param english Its keys are those of the texts. */
export function createTexts<K extends string>(language: string, lists: Lists, english: object): Texts<K> {
  const table = Object.fromEntries(Object.keys(english).map((key, at) => [key, lists.page[at] as string | Plural]))
  const rtl = language === 'ar'
  // Browsers take tens of milliseconds for each of these, and the first view needs neither.
  const plurals = once(() => new Intl.PluralRules(language))
  const relative = once(() => new Intl.RelativeTimeFormat(language, { numeric: 'auto' }))
  const whole = (value: number) => new Intl.NumberFormat(language).format(value)
  const largest = (milliseconds: number) => SPANS.find(([, size]) => milliseconds >= size) ?? SPANS[3]
  return {
    language,
    direction: rtl ? 'rtl' : 'ltr',
    lists,
    t(key, values = {}) {
      const entry = table[key]!
      const text = typeof entry === 'string' ? entry : formOf(entry, plurals().select(Number(values.count)))
      return text.replace(/\{(\w+)\}/g, (_, name) => {
        const value = values[name]!
        if (typeof value === 'number') return whole(value)
        // Isolates the value, so that it keeps its own direction.
        return rtl || RIGHT_TO_LEFT.test(value) ? `\u2068${value}\u2069` : value
      })
    },
    has: (key): key is K => Object.hasOwn(table, key),
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
      return passed < 10_000 ? relative().format(0, 'second') : relative().format(-Math.round(passed / size), unit)
    },
    until(time) {
      const left = Math.max(60_000, time - Date.now())
      const [unit, size] = largest(left)
      return relative().format(Math.round(left / size), unit)
    },
    span(milliseconds) {
      const [unit, size] = largest(milliseconds)
      const style = { style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits: 1 } as const
      return new Intl.NumberFormat(language, style).format(milliseconds / size)
    },
  }
}

/** Makes a value when it is first needed. */
function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}

const formOf = (forms: Plural, form: Intl.LDMLPluralRule) => forms[form] ?? forms.other ?? ''

const Context = createContext<Texts | undefined>(undefined)
export const TextsProvider = Context.Provider
/** The texts in the page's language. */
export const useTexts = (): Texts => useContext(Context)!
