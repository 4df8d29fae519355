/** The queries of the dashboard and of the alerts, compared with the metrics of a running service. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { parse } from 'yaml'
import { convert, get, startService } from '../harness/service.ts'

const read = (path: string) => readFileSync(join(import.meta.dirname, '../..', path), 'utf8')
const manual = read('docs/monitoring.md')
/** Metrics of nodes: test/cluster/nodes.test.ts compares the guide with them. */
const guide = read('docs/cluster.md')
/** Metrics that a service has with a certificate, or after a while. */
const ELSEWHERE = ['athanor_tls_expiry_seconds', 'athanor_security_updates']
const env = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'a@example.com', PUBLIC_URL: 'https://convert.example' }
/** Labels that Prometheus adds. */
const ADDED = ['job', 'instance']

t.test('queries of the dashboard and of the alerts ask for what there is', async (t) => {
  await using service = await startService({ env })
  await convert(service)
  await convert(service, { options: { fail: 'refuse' } })
  service.kernel.settings.maintenance = true
  await get(service, '/api/tools')
  const text = (await get(service, '/metrics')).body.toString()
  /** Values by label by metric. Without values, no series is there and any value is possible. */
  const known = new Map<string, Map<string, Set<string>>>([['up', new Map()]])
  const labelsOf = (name: string) => known.get(name) ?? known.set(name, new Map()).get(name)!
  for (const [, name, labels] of `${manual}${guide}`.matchAll(/^\| `(athanor_\w+)` \|(.*?)\|/gm)) {
    const isThere = new RegExp(`^# TYPE ${name} `, 'm').test(text)
    if (!isThere && !ELSEWHERE.includes(name!) && !/^athanor_nodes?_?/.test(name!)) continue
    for (const [, label] of labels!.matchAll(/`(\w+)`/g)) labelsOf(name!).set(label!, new Set())
    labelsOf(name!)
  }
  for (const [, name, given = ''] of text.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)) {
    for (const [, label, value] of given.matchAll(/(\w+)="([^"]*)"/g)) {
      const values = labelsOf(name!)
      values.set(label!, (values.get(label!) ?? new Set()).add(value!))
    }
    labelsOf(name!)
  }

  /** What is wrong with a query. */
  function faults(query: string): string[] {
    const selectors = [...query.matchAll(/\b((?:athanor|process|nodejs)_\w+|up)\b(?:\{([^}]*)\})?/g)]
    const asked = selectors.flatMap(([, name, matchers = '']) => {
      const labels = known.get(name!)
      if (!labels) return [`no metric ${name}`]
      return [...matchers.matchAll(/(\w+)(=|!=|=~|!~)"([^"]*)"/g)].flatMap(([, label, operator, value]) => {
        if (ADDED.includes(label!)) return []
        const values = labels.get(label!)
        if (!values) return [`${name} has no label ${label}`]
        const isKnown = operator !== '=' || values.size === 0 || values.has(value!)
        return isKnown ? [] : [`${name} has no ${label} ${value}`]
      })
    })
    const grouped = [...query.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list]) => list!.split(/,\s*/))
    const unknown = grouped.filter(
      (label) => !ADDED.includes(label) && !selectors.every(([, name]) => known.get(name!)?.has(label)),
    )
    return [...asked, ...unknown.map((label) => `cannot group by ${label}`), ...(selectors.length ? [] : ['no metric'])]
  }

  const { panels, templating } = JSON.parse(read('config/deploy/dashboard.json'))
  const { groups } = parse(read('config/deploy/alerts.yml'))
  const queries: Record<string, string> = Object.fromEntries([
    ...panels.flatMap(({ title, targets }: any) => targets.map(({ expr, refId }: any) => [`${title} ${refId}`, expr])),
    ...templating.list.slice(1).map(({ name, query }: any) => [name, query.replace(/, \w+\)$/, ')')]),
    ...groups[0].rules.map(({ alert, expr }: any) => [alert, expr]),
  ])
  t.ok(Object.keys(queries).length > 40)
  for (const [name, query] of Object.entries(queries)) t.strictSame(faults(query), [], name)
  for (const query of ['athanor_part_down', 'sum by (engine) (athanor_places)', 'athanor_places{lane="fast"}']) {
    t.equal(faults(query).length, 1, `${query} is found wrong`)
  }
  const { rules } = groups[0]
  t.strictSame(
    rules.filter(({ labels, annotations }: any) => {
      return !/^(critical|warning)$/.test(labels.severity) || !annotations.summary || !annotations.description
    }),
    [],
  )
})
