/** The registry's advisories about packages of the service. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import t from 'tap'

const root = join(import.meta.dirname, '..')

/** Advisories that do not affect the service, by number, with the reason. */
const explained: Readonly<Record<string, string>> = {}

t.test('npm knows no vulnerabilities in the packages of the service', async (t) => {
  const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], {
    cwd: root,
    encoding: 'utf8',
    timeout: 60_000,
  })
  const report = stdout ? JSON.parse(stdout) : {}
  // Registries that only mirror packages cannot answer.
  if (!report.auditReportVersion)
    return t.comment(`the registry does not answer: ${report.message ?? 'no reason given'}`)
  const advisories = Object.values<any>(report.vulnerabilities).flatMap(({ via }) => via.filter((one: any) => one.url))
  const unexplained = advisories.filter(({ source }) => !explained[source])
  t.same(
    unexplained.map(({ name, title, url }) => `${name}: ${title} (${url})`),
    [],
  )
})
