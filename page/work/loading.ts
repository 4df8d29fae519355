import type { Options } from '../../client/client.ts'
import type { WorkContext } from './context.ts'

/** Loads what the service can convert, each part only once. If that fails, the next call tries it again. */
export function createLoading({ client, store }: WorkContext) {
  const asked = new Map<string, Promise<void>>()

  function once(id: string, load: () => Promise<void>): Promise<void> {
    const loading = asked.get(id) ?? load()
    asked.set(id, loading)
    return loading.catch((error) => {
      asked.delete(id)
      throw error
    })
  }

  const loadTools = (from: string, category: string): Promise<void> => {
    const id = idOf(from, category)
    return once(id, () =>
      client.tools({ category, from }).then((tools) => store.dispatch({ type: 'tools', id, tools })),
    )
  }

  return {
    /** Loads the formats. Without them, files can be added, but not converted. */
    loadFormats: () =>
      once('', () => client.formats().then((formats) => store.dispatch({ type: 'formats', formats }))).catch(() => {}),

    /** Loads the options of a format's targets in one category. */
    loadTools,

    /** Returns the options that a target begins with: the format of the source is made smaller. */
    async firstOptions(from: string, to: string): Promise<Options> {
      if (from !== to) return {}
      const category = store.get().formats.get(to)?.category ?? ''
      await loadTools(from, category).catch(() => {})
      const tool = store
        .get()
        .tools.get(idOf(from, category))
        ?.find(({ toFormat }) => toFormat === to)
      return tool?.options['x-presets']?.find(({ name }) => name === 'smaller')?.options ?? {}
    },

    /** Returns them; undefined: not loaded. */
    toolsOf: (from: string, category: string) => store.get().tools.get(idOf(from, category)),
  }
}

const idOf = (from: string, category: string) => `${from} ${category}`

export type Loading = ReturnType<typeof createLoading>
