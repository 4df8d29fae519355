import { useEffect, useState } from 'preact/hooks'
import { type Action, initialState, reduce, type State } from './reducer.ts'
import type { Settings } from './settings.ts'

/** Holds the state for background work and for components. */
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

/** Returns the state, and renders the component again when it changes. */
export function useStore(store: Store): State {
  const [state, setState] = useState(store.get)
  useEffect(() => store.subscribe(() => setState(store.get())), [store])
  return state
}
