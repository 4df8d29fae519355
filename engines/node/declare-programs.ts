import { readdirSync } from 'node:fs'

/** Imports all engines, so that their programs are in `commands` and `bundles`. */
export async function declarePrograms(): Promise<void> {
  const engines = new URL('..', import.meta.url)
  for (const name of readdirSync(engines)) if (name.endsWith('.ts')) await import(new URL(name, engines).href)
}
