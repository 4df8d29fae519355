import type { Updates } from '../../config/setup/updates.ts'
import type { EngineFinding, Findings } from './examine.ts'

/** Number of listed reasons; --json has all. */
const REASONS = 12

/** Renders doctor's findings for a terminal. */
export function render(findings: Findings): string[] {
  const { version, node, configuration, sandbox, plugins, engines, pairs, obstacles, formatsWithoutRoutes } = findings
  const found = engines.filter((engine) => engine.found)
  const missing = engines.filter((engine) => !engine.found)
  const packages = [...new Set(missing.flatMap((engine) => engine.package ?? []))]
  const { mode, file, environment, dataDir, storage } = configuration
  return [
    `Athanor        ${version}${findings.commit ? ` (${findings.commit.slice(0, 12)})` : ''}`,
    `Node           ${node}`,
    `Mode           ${mode}`,
    `Configuration  defaults${file ? `, ${file}` : ''}${environment.length ? `, environment: ${environment.join(', ')}` : ''}`,
    `Data folder    ${dataDir}`,
    `Storage        ${storage}`,
    `Sandbox        ${sandbox.mode}: ${sandbox.works ? '' : 'BROKEN: '}${sandbox.detail}`,
    `Memory groups  ${findings.memoryGroups}`,
    ...renderUpdates(findings.debian),
    `Pairs          ${pairs.usable} usable, ${pairs.missing} missing on this machine`,
    ...renderNodes(findings.nodes),
    '',
    'Plugins',
    ...table(
      plugins.map((plugin) => [plugin.category, plugin.state, `${plugin.formats} formats`, `${plugin.pairs} pairs`]),
    ),
    '',
    'Engines found',
    ...table(
      found.map((engine) => [engine.name, engine.version ?? '', engine.path ?? '', weight(engine, 'by it alone')]),
    ),
    '',
    'What they can do',
    ...table(found.flatMap(({ name, features }) => (features ? [[name, features]] : []))),
    '',
    ...(missing.length ? ['Engines missing'] : ['No engine is missing.']),
    ...table(missing.map((engine) => [engine.name, engine.missing ?? '', weight(engine, 'lost')])),
    ...(packages.length ? ['', `To install them: apt-get install --no-install-recommends ${packages.join(' ')}`] : []),
    ...(obstacles.length ? ['', 'Why pairs are missing'] : []),
    ...table(obstacles.slice(0, REASONS).map(({ reason, pairs }) => [`${pairs}`, reason])),
    ...(obstacles.length > REASONS ? [`  and ${obstacles.length - REASONS} more reasons`] : []),
    '',
    'Formats without routes',
    ...table(
      plugins.map(({ category, formats, pairs }) => {
        const idle = formatsWithoutRoutes[category] ?? []
        return [category, idle.length === formats && pairs === 0 ? `all ${formats}` : idle.join(', ') || 'none']
      }),
    ),
  ]
}

const weight = ({ pairs, alone }: EngineFinding, what: string) => `${pairs} pairs, ${alone} ${what}`

function renderNodes(nodes: Findings['nodes']): string[] {
  if (!nodes) return []
  if (!nodes.living.length) return [`Nodes          ${nodes.fault ?? 'none is running'}`]
  const rows = nodes.living.map(({ id, host, version, role, abilities, light, heavy, lease }, index) => [
    id,
    host,
    version,
    role,
    `${light} light and ${heavy} heavy at a time`,
    abilities === null ? 'converts nothing' : `abilities ${abilities}`,
    `lease for ${Math.round(lease / 1000)} s`,
    index === 0 ? 'leads' : '',
  ])
  return ['', 'Nodes', ...table(rows)]
}

/** Aligns rows in columns. */
function table(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  return rows.map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd())
}

/** Number of named packages; --json has all. */
const NAMED = 12

/** Renders the packages to upgrade. A missing or old list never means "nothing to upgrade". */
export function renderUpdates({ lists, compared, security, other }: Updates, now = Date.now()): string[] {
  if (lists.state === 'absent') {
    const why = 'this machine has no package list of the Debian security archive; run apt-get update'
    return [`Security       UNKNOWN: ${why}`]
  }
  if (compared === 0) return ['Security       UNKNOWN: apt knows none of the packages that contain the engines']
  const age = `list of ${lists.published.slice(0, 10)}, fetched ${ago(now - Date.parse(lists.fetched))}`
  const stale = lists.state === 'stale' ? [`UNKNOWN: the ${age}, expired on ${lists.validUntil.slice(0, 10)}`] : []
  const found = `${security.length} of ${compared} packages that engines load have a security update`
  return [
    `Security       ${[...stale, stale.length > 0 ? `even so, ${found}` : `${found} (${age})`].join('; ')}`,
    ...security.slice(0, NAMED).map((update) => `  ${update.package} ${update.installed} → ${update.offered}`),
    ...(security.length > NAMED ? [`  and ${security.length - NAMED} more (--json lists them)`] : []),
    ...(other.length > 0
      ? [`  ${other.length} more have a newer version in a point release, which can contain older fixes`]
      : []),
    ...(stale.length > 0 || security.length + other.length > 0
      ? ['  To upgrade: apt-get update && apt-get upgrade. In a container: rebuild the image from a fresh base']
      : []),
  ]
}

function ago(milliseconds: number): string {
  const hours = Math.max(0, Math.floor(milliseconds / 3_600_000))
  return hours < 48 ? `${hours} h ago` : `${Math.floor(hours / 24)} days ago`
}
