import { audited } from '../boot/settings/audit.ts'
import { readSwitches, setSwitch, toolSwitch } from '../boot/settings/switches.ts'
import { loadCatalogue } from '../catalogue/load.ts'
import { slugOf } from '../catalogue/pairs.ts'
import { nearest } from '../nearest.ts'
import { printJson, printLine } from '../terminal.ts'
import { type AdminCommand, CommandError, readWords, refuseMore } from './command.ts'
import { operate } from './operation.ts'
import { printTools } from './tool-list.ts'
import { openTrial } from './trial.ts'

/** `npm run admin -- tool disable|enable SLUG`: closes a pair, or opens it again. */
export const tool: AdminCommand = {
  summary: 'Closes a tool, opens it again, or lists all of them.',
  usage: [
    'Usage: npm run admin -- tool disable|enable SLUG [--json]',
    '       npm run admin -- tool list [--json]',
    '',
    'SLUG is a slug from GET /api/tools, such as png-to-webp or optimize-pdf. Aliases of formats work too. A closed tool',
    'stays listed and answers 403. The switch takes effect within 5 seconds. Tools that the configuration closes',
    '(tools.disabled) must be opened there.',
  ].join('\n'),
  async run(args) {
    const { word: action, rest, json } = readWords('tool', args, ['disable', 'enable', 'list'])
    if (action === 'list') {
      refuseMore('tool list', rest)
      await printTools({ json })
      return 0
    }
    const [given, tooMany] = rest
    if (!given || tooMany) throw new CommandError(`tool ${action}: expected one slug such as png-to-webp.`)
    const { slug, enabled } = await operate(async ({ config, database, actor }) => {
      await using trial = await openTrial(config)
      const { catalogue } = await loadCatalogue(config, trial.ask)
      const known = catalogue.tool(given)
      // A switch has the tool's own slug, not one with an alias.
      const slug = known?.slug ?? given
      // A closed tool can be opened even if its engine is gone.
      const closed = (await readSwitches(database)).closedTools.has(slug)
      // Other nodes may have the engine.
      const elsewhere = config.redisUrl && catalogue.missing.some(({ from, to }) => slugOf(from, to) === slug)
      if (!known && !closed && !elsewhere) {
        const guess = nearest(
          slug,
          catalogue.tools.map((each) => each.slug),
        )
        throw new CommandError(`There is no tool "${slug}".${guess ? ` Did you mean ${guess}?` : ''}`)
      }
      const change = { actor, action: `tool.${action}`, subject: slug, details: {} }
      await audited(database, change, (transaction) => setSwitch(transaction, toolSwitch(slug), action === 'disable'))
      return { slug, enabled: action === 'enable' && known?.enabled !== false }
    })
    if (json) printJson(JSON.stringify({ slug, enabled }))
    else printLine(`${slug} is ${enabled ? 'open' : 'closed'}${closedElsewhere(action, enabled)}.`)
    return 0
  },
}

const closedElsewhere = (action: string, enabled: boolean) =>
  action === 'enable' && !enabled ? ' by the configuration: see tools.disabled and plugins' : ''
