import type { EngineFinding, Findings } from './examine.ts'
import { renderUpdates } from './render-updates.ts'

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
