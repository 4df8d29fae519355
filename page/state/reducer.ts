import type { Conversion, Format, Tool } from '../../client/client.ts'
import type { Facts, Limits } from './facts.ts'
import type { Item } from './item.ts'
import type { Settings } from './settings.ts'

/** What was used today, and what is stored now. */
export interface Usage {
  conversionsToday: number
  /** Bytes. */
  bytesToday: number
  storedBytes: number
}

/** An account as the service shows it. */
export interface Account {
  user: { email: string; name: string | null; plan: string }
  usage: Usage
  limits: Limits & { storedBytes: number | null; apiKeys: number | null }
}

/** The state that the page shows. */
export interface State {
  items: readonly Item[]
  /** Formats by extension; empty until the service has sent the list. */
  formats: ReadonlyMap<string, Format>
  /** Conversions from before this page was opened, newest first. */
  history: readonly Conversion[]
  /** Tools by source format and target category. */
  tools: ReadonlyMap<string, readonly Tool[]>
  settings: Settings
  /** Whether the page was drawn once. Before that it formats no numbers: the first one takes browsers long. */
  drawn: boolean
  /** Whether the last request reached the service. */
  online: boolean
  /** End of the pause that the service asked for, in epoch milliseconds. */
  pausedUntil: number
  /** What was used today; undefined until it is known. */
  usage?: Usage
  /** The account that is signed in; undefined for guests. */
  account?: Account
  /** Whether the account is shown instead of the files. */
  accountOpen: boolean
  /** Asks the user whether to install the page; undefined while the browser does not offer it. */
  install?: (() => void) | undefined
  /** Files that were shared with the page, until the user says whether to add them. */
  shared?: readonly File[] | undefined
  /**
   * Message, or the key of a text, about the last action on several files. `undo`: the whole list before it, of which
   * some files may be gone since.
   */
  notice?: { text: string; undo?: readonly Item[] } | undefined
}

export type Action =
  | { type: 'drawn' }
  | { type: 'usage'; usage: Usage }
  | { type: 'account'; account: Account | undefined }
  | { type: 'accountOpen'; open: boolean }
  | { type: 'install'; install: State['install'] }
  | { type: 'shared'; files: State['shared'] }
  | { type: 'added'; items: readonly Item[] }
  | { type: 'changed'; key: number; change: Partial<Item> }
  | { type: 'removed'; keys: readonly number[] }
  | { type: 'formats'; formats: readonly Format[] }
  | { type: 'history'; conversions: readonly Conversion[] }
  | { type: 'tools'; id: string; tools: readonly Tool[] }
  | { type: 'settings'; change: Partial<Settings> }
  | { type: 'online'; online: boolean }
  | { type: 'paused'; until: number }
  | { type: 'replaced'; items: readonly Item[]; notice?: State['notice'] }
  | { type: 'notice'; notice: State['notice'] }

export const initialState = (settings: Settings): State => ({
  items: [],
  formats: new Map(),
  history: [],
  tools: new Map(),
  settings,
  online: true,
  pausedUntil: 0,
  drawn: false,
  accountOpen: false,
})

export function reduce(state: State, action: Action): State {
  switch (action.type) {
    case 'drawn':
      return { ...state, drawn: true }
    case 'usage':
      return { ...state, usage: action.usage }
    case 'account':
      return { ...state, account: action.account }
    case 'accountOpen':
      return { ...state, accountOpen: action.open }
    case 'install':
      return { ...state, install: action.install }
    case 'shared':
      return { ...state, shared: action.files }
    case 'added':
      return { ...state, items: [...state.items, ...action.items], notice: undefined }
    case 'changed':
      return {
        ...state,
        // Once a file is started, its target cannot be undone.
        ...(action.change.stage === 'lined' && { notice: undefined }),
        items: state.items.map((item) => (item.key === action.key ? { ...item, ...action.change } : item)),
      }
    case 'removed':
      return { ...state, items: state.items.filter(({ key }) => !action.keys.includes(key)), notice: undefined }
    case 'formats':
      return { ...state, formats: new Map(action.formats.map((format) => [format.extension, format])) }
    case 'history':
      return { ...state, history: action.conversions }
    case 'tools':
      return { ...state, tools: new Map(state.tools).set(action.id, action.tools) }
    case 'settings':
      return { ...state, settings: { ...state.settings, ...action.change } }
    case 'online':
      return state.online === action.online ? state : { ...state, online: action.online }
    case 'paused':
      return { ...state, pausedUntil: action.until }
    case 'notice':
      return { ...state, notice: action.notice }
    case 'replaced':
      return { ...state, items: action.items, notice: action.notice }
  }
}

/** Whether the operator has closed the service to guests, and nobody is signed in. */
export const mustSignIn = ({ conversionsPerDay }: Facts, { account }: State) => conversionsPerDay === 0 && !account
