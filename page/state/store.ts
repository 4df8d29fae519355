import { useEffect, useState } from 'preact/hooks'
import { type Action, initialState, reduce, type State } from './reducer.ts'
import type { Settings } from './settings.ts'

/** The state, for what works in the background, and for what shows it. */
export interface Store {
  get(): State
  dispatch(action: Action): void
  subscribe(listener: () => void): () => void
}

export function createStore(settings: Settings): Store {
  let state = initialState(settings)
  const listeners = new Set<() => void>()
  return {
    get: () => state,
    dispatch(action) {
      state = reduce(state, action)
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** The state, drawn again at each change. */
export function useStore(store: Store): State {
  const [state, setState] = useState(store.get)
  useEffect(() => store.subscribe(() => setState(store.get())), [store])
  return state
}
