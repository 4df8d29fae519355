import { audited } from '../boot/settings/audit.ts'
import { loadCatalogue } from '../catalogue/load.ts'
import { matcher, matcherOf } from '../catalogue/names.ts'
import { slugOf } from '../catalogue/pairs.ts'
import { readSwitches, setSwitch, toolSwitch } from '../database/tables/switches.ts'
import { nearest } from '../nearest.ts'
import { printJson, printLine } from '../terminal.ts'
import { type AdminCommand, CommandError, readWords, refuseMore } from './command.ts'
import { type AdminContext, operate } from './open-database.ts'
import { openTrial } from './trial.ts'

/** `npm run admin -- tool disable|enable SLUG`: closes a pair, or opens it again. */
export const tool: AdminCommand = {
  summary: 'Closes a tool, opens it again, or lists all of them.',
  usage: [
    'Usage: npm run admin -- tool disable|enable SLUG [--json]',
    '       npm run admin -- tool list [--json]',
    '',
    "SLUG is a slug from GET /api/tools, such as png-to-webp or optimize-pdf, or a pattern such as 'png-to-*'. Aliases of",
    'formats work too, except in patterns. A pattern also closes tools that appear later; enable it as it was disabled. A',
    'closed tool stays listed and answers 403. The switch takes effect within 5 seconds. Tools that the configuration',
    'closes (tools.disabled) must be opened there.',
  ].join('\n'),
  async run(args) {
    const { word: action, rest, json } = readWords('tool', args, ['disable', 'enable', 'list'])
    if (action === 'list') {
      refuseMore('tool list', rest)
      await printTools({ json })
      return 0
    }
    const [given, tooMany] = rest
    if (!given || tooMany)
      throw new CommandError(`tool ${action}: expected one slug such as png-to-webp, or a pattern.`)
    const set = await operate((operation) => setTool(operation, given, action))
    if (json) printJson(JSON.stringify(set))
    else printLine(`${set.slug} is ${set.enabled ? 'open' : 'closed'}${reasonOf(set)}.`)
    return 0
  },
}

/** Closes or opens what a slug or a pattern names. Returns the state of a tool afterwards, or of all that match. */
async function setTool({ config, database, actor }: AdminContext, given: string, action: 'disable' | 'enable') {
  await using trial = await openTrial(config)
  const { catalogue } = await loadCatalogue({ ...config, dataDir: trial.cache }, trial.ask)
  const known = catalogue.tool(given)
  // A switch has the tool's own slug, not one with an alias.
  const slug = known?.slug ?? given
  const matches = catalogue.tools.filter((tool) => matcher(slug)(tool.slug))
  // A closed tool can be opened even if its engine is gone.
  const closed = (await readSwitches(database)).closedTools.has(slug)
  // Other nodes may have the engine.
  const elsewhere = config.redisUrl && catalogue.missing.some(({ from, to }) => slugOf(from, to) === slug)
  if (!matches.length && !closed && !elsewhere) {
    const guess = nearest(
      slug,
      catalogue.tools.map((each) => each.slug),
    )
    throw new CommandError(`There is no tool "${slug}".${guess ? ` Did you mean ${guess}?` : ''}`)
  }
  const change = { actor, action: `tool.${action}`, subject: slug, details: {} }
  await audited(database, change, (transaction) => setSwitch(transaction, toolSwitch(slug), action === 'disable'))
  const { closedTools } = await readSwitches(database)
  const others = matches.map((tool) => ({
    byConfiguration: !tool.enabled,
    pattern: [...closedTools].find((pattern) => matcher(pattern)(tool.slug)),
  }))
  const open = others.filter(({ byConfiguration, pattern }) => !byConfiguration && pattern === undefined).length
  const [first] = others
  return {
    slug,
    enabled: action === 'enable' && (open > 0 || !matches.length),
    // Of a pattern.
    ...(slug.includes('*') && { tools: matches.length, open }),
    ...(action === 'enable' && !open && first && { closedBy: first.byConfiguration ? 'configuration' : first.pattern }),
  }
}

/** Says how many tools a pattern names, and why a tool stays closed. */
function reasonOf({ tools, open, closedBy }: { tools?: number; open?: number; closedBy?: string | undefined }): string {
  const stays = !closedBy
    ? ''
    : closedBy === 'configuration'
      ? ' by the configuration: see tools.disabled and plugins'
      : ` by ${closedBy}: enable that`
  return tools === undefined ? stays : ` (${open} of ${tools} tools are open)${stays}`
}

/** Prints every tool of this machine: its engine, and who closed it, if it is closed. */
async function printTools({ json }: { json: boolean }): Promise<void> {
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
