import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Athanor } from '../client/athanor.ts'
import type { Format, Tool } from '../client/records.ts'
import type { LookUp } from './convert/request.ts'
import { cacheFolder } from './folders.ts'

/** Asks the service what it can convert, each thing once. Keeps the formats for completion. */
export function lookUp(athanor: Athanor, url: string | undefined, signal: AbortSignal): LookUp {
  let formats: Promise<readonly Format[]> | undefined
  return {
    formats() {
      formats ??= athanor.formats({ signal }).then(async (found) => {
        await keepFormats(url, found)
        return found
      })
      return formats
    },
    async optionsOf(target) {
      const query = new URLSearchParams({ to: target, limit: '1' })
      const { tools } = await athanor.client.request<{ tools: Tool[] }>('GET', `api/tools?${query}`, { signal })
      return tools[0]?.options
    },
  }
}

/** A name that does not show the URL, which can be long. */
async function fileFor(url = ''): Promise<string> {
  const { hash } = await import('node:crypto')
  return join(await cacheFolder(), `formats-${hash('sha256', url).slice(0, 16)}.json`)
}

/** A full disk only makes completion worse. */
async function keepFormats(url: string | undefined, formats: readonly Format[]): Promise<void> {
  const file = await fileFor(url)
  const draft = `${file}.${process.pid}`
  await writeFile(draft, JSON.stringify(formats), { mode: 0o600 })
    .then(() => rename(draft, file))
    .catch(() => {})
}

/** Returns the formats that a service had when it was asked last; none if that is not known. */
export async function keptFormats(url: string | undefined): Promise<readonly Format[]> {
  try {
    return JSON.parse(await readFile(await fileFor(url), 'utf8'))
  } catch {
    return []
  }
}
