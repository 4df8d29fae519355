import { readSwitches } from '../boot/settings/switches.ts'
import { loadCatalogue } from '../catalogue/load.ts'
import { matcherOf } from '../catalogue/names.ts'
import { printJson, printLine } from '../terminal.ts'
import { operate } from './operation.ts'
import { openTrial } from './trial.ts'

/** Prints every tool of this machine: its engine, and who closed it, if it is closed. */
export async function printTools({ json }: { json: boolean }): Promise<void> {
  const tools = await operate(async ({ config, database }) => {
    await using trial = await openTrial(config)
    const { catalogue } = await loadCatalogue({ ...config, dataDir: trial.cache }, trial.ask)
    const isSwitched = matcherOf((await readSwitches(database)).closedTools)
    return catalogue.tools.map(({ slug, category, engine, enabled }) => ({
      slug,
      category,
      engine,
      enabled: enabled && !isSwitched(slug),
      // A command cannot open a tool that the configuration closes.
      closedBy: enabled ? (isSwitched(slug) ? 'administrator' : null) : 'configuration',
    }))
  })
  if (json) printJson(JSON.stringify(tools, null, 2))
  else {
    for (const { slug, engine, closedBy } of tools) {
      printLine(`${slug.padEnd(24)} ${engine.padEnd(16)} ${closedBy ? `closed by ${closedBy}` : 'open'}`)
    }
  }
}
