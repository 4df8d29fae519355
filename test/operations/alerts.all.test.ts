/** The alerts and the dashboard, read by the test tool of Prometheus: each alert fires in its case, no other one. */
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { parse } from 'yaml'
import { folderOf } from '../harness/folder.ts'

const file = join(import.meta.dirname, '../../config/deploy/alerts.yml')
const rules: { alert: string; labels: { severity: string } }[] = parse(readFileSync(file, 'utf8')).groups[0].rules
const run = promisify(execFile)

/** The series of a service that is well, with a value each minute. */
const nodeOf = (instance: string) => ({
  [`up{job="athanor",instance="${instance}"}`]: '1x1500',
  [`athanor_maintenance{job="athanor",instance="${instance}"}`]: '0x1500',
  [`athanor_node_leader{job="athanor",instance="${instance}"}`]: instance === 'a' ? '1x1500' : '0x400',
  [`athanor_node_lease_seconds{job="athanor",instance="${instance}"}`]: '10x1500',
  [`athanor_part_up{job="athanor",instance="${instance}",part="database"}`]: '1x1500',
  [`athanor_part_up{job="athanor",instance="${instance}",part="mail"}`]: '1x1500',
  [`athanor_queue_age_seconds{job="athanor",instance="${instance}",lane="light"}`]: '3x1500',
  [`athanor_queue_age_seconds{job="athanor",instance="${instance}",lane="heavy"}`]: '3000x1500',
  [`athanor_data_free_bytes{job="athanor",instance="${instance}"}`]: '50e9x1500',
  [`athanor_tls_expiry_seconds{job="athanor",instance="${instance}"}`]: '5184000-60x1500',
  [series('conversions_total', instance, 'status="completed",code="",engine="e"')]: '0+9x1500',
  [series('conversions_total', instance, 'status="failed",code="INTERNAL_SERVER_ERROR",engine="e"')]: '0x1500',
  [series('refusals_total', instance, 'code="STORAGE_FULL",family="uploads"')]: '0x1500',
  [series('http_request_duration_seconds_count', instance, 'operation="uploadFile",status="5xx"')]: '0x1500',
})

function series(name: string, instance: string, labels = ''): string {
  return `athanor_${name}{job="athanor",instance="${instance}"${labels && `,${labels}`}}`
}

interface Case {
  /** What is wrong: values of series, one a minute. */
  wrong: Record<string, string>
  /** Alerts that fire, as `name of labels`, and since when, in minutes. Nothing fires a minute before. */
  fires: string[]
  after: number
}

const gone = { 'up{job="athanor",instance="b"}': '1x10 0x30' }
const INTERNAL = 'status="failed",code="INTERNAL_SERVER_ERROR",engine="e"'
const cases: Record<string, Case> = {
  'a node of three is down': { wrong: gone, fires: ['AthanorNodeDown b'], after: 13 },
  'all are down': {
    wrong: Object.fromEntries(['a', 'b', 'c'].map((one) => [`up{job="athanor",instance="${one}"}`, '1x10 0x30'])),
    fires: ['AthanorDown', 'AthanorNodeDown a', 'AthanorNodeDown b', 'AthanorNodeDown c'],
    after: 13,
  },
  'the first ten internal errors of a new service': {
    wrong: { [series('conversions_total', 'b', INTERNAL)]: '0x19 10x30' },
    fires: ['AthanorConversionsBreak'],
    after: 20,
  },
  'most conversions with an engine fail': {
    wrong: { [series('conversions_total', 'a', 'status="failed",code="TIMEOUT",engine="f"')]: '0+5x60' },
    fires: ['AthanorEngineFails engine=f'],
    after: 16,
  },
  'the oldest light conversion waits': {
    wrong: { [series('queue_age_seconds', 'a', 'lane="light"')]: '3x9 180+60x30' },
    fires: ['AthanorQueueStuck lane=light'],
    after: 15,
  },
  'the disk is nearly full': {
    wrong: { [series('data_free_bytes', 'c')]: '50e9x10 4e9x20' },
    fires: ['AthanorDiskLow c'],
    after: 21,
  },
  'the disk fills up within a day': {
    wrong: { [series('data_free_bytes', 'c')]: '50e9-40e6x200' },
    fires: ['AthanorDiskFillsUp c'],
    after: 61,
  },
  'a certificate was not renewed': {
    wrong: { [series('tls_expiry_seconds', 'a')]: '605400-60x30' },
    fires: ['AthanorCertificateExpires a'],
    after: 11,
  },
  'nobody leads': {
    wrong: { [series('node_leader', 'a')]: '1x10 0x20' },
    fires: ['AthanorNoLeader'],
    after: 13,
  },
  'a node lost its lease': {
    wrong: { [series('node_lease_seconds', 'b')]: '10x10 0x20' },
    fires: ['AthanorNodeWithoutLease b'],
    after: 13,
  },
  'the database is away for one node': {
    wrong: { [series('part_up', 'b', 'part="database"')]: '1x10 0x20' },
    fires: ['AthanorPartDown b part=database'],
    after: 13,
  },
  'mails are not accepted': {
    wrong: { [series('part_up', 'b', 'part="mail"')]: '1x10 0x20' },
    fires: ['AthanorMailDown b part=mail'],
    after: 16,
  },
  'engines have security updates': {
    wrong: { [series('security_updates', 'a', 'severity="security"')]: '2x1500' },
    fires: ['AthanorSecurityUpdates a severity=security'],
    after: 1440,
  },
  'the storage is full': {
    wrong: { [series('refusals_total', 'a', 'code="STORAGE_FULL",family="uploads"')]: '0x10 0+20x30' },
    fires: ['AthanorRefusesMany code=STORAGE_FULL'],
    after: 23,
  },
  'answers are errors': {
    wrong: {
      [series('http_request_duration_seconds_count', 'a', 'operation="uploadFile",status="5xx"')]: '0x10 0+20x30',
    },
    fires: ['AthanorAnswersErrors'],
    after: 18,
  },
  'answers are errors while maintenance is on, and it stays on': {
    wrong: {
      [series('http_request_duration_seconds_count', 'a', 'operation="uploadFile",status="5xx"')]: '0+20x300',
      [series('maintenance', 'a')]: '0x3 1x300',
    },
    fires: ['AthanorLeftInMaintenance'],
    after: 244,
  },
}

t.test('the tool of Prometheus accepts the file', async (t) => {
  const { stdout } = await run('promtool', ['check', 'rules', file])
  t.match(stdout, `${rules.length} rules found`)
})

t.test('it can read the queries of the dashboard', async (t) => {
  const { panels } = JSON.parse(readFileSync(join(file, '../dashboard.json'), 'utf8'))
  const queries: string[] = panels.flatMap(({ targets }: any) => targets.map(({ expr }: any) => expr))
  const asked = queries.map((expr, n) => ({ record: `query:${n}`, expr: expr.replaceAll('$__rate_interval', '5m') }))
  const path = join(await folderOf(t), 'queries.json')
  writeFileSync(path, JSON.stringify({ groups: [{ name: 'dashboard', rules: asked }] }))
  const { stdout } = await run('promtool', ['check', 'rules', path])
  t.match(stdout, `${queries.length} rules found`)
})

t.test('each alert fires in its case, and no other one', async (t) => {
  const folder = await folderOf(t)
  const tested = new Set<string>()
  const suites = Object.entries(cases).map(([name, { wrong, fires, after }]) => {
    const values = Object.assign({}, ...['a', 'b', 'c'].map(nodeOf), wrong)
    const firing = fires.map((text) => {
      const [alert, ...labels] = text.split(' ') as [string, ...string[]]
      tested.add(alert)
      const all = labels.map((label) => (label.includes('=') ? label.split('=') : ['instance', label]))
      return { alert, ...Object.fromEntries(all) }
    })
    return { name, values, firing, after }
  })
  t.strictSame([...tested].sort(), rules.map(({ alert }) => alert).sort(), 'each has its case')
  const suite = {
    rule_files: [file],
    evaluation_interval: '1m',
    tests: suites.map(({ name, values, firing, after }) => {
      const expr = 'sum by (alertname, instance, engine, lane, part, code) (ALERTS{alertstate="firing"})'
      const exp_samples = firing.map(({ alert: alertname, severity: _, ...labels }: Record<string, string>) => ({
        labels: `{${Object.entries({ alertname, ...labels }).map(([key, value]) => `${key}="${value}"`)}}`,
        value: 1,
      }))
      return {
        name,
        interval: '1m',
        input_series: Object.entries(values).map(([series, values]) => ({ series, values })),
        promql_expr_test: [
          { expr, eval_time: `${after - 2}m`, exp_samples: [] },
          { expr, eval_time: `${after + 1}m`, exp_samples },
        ],
      }
    }),
  }
  const path = join(folder, 'suite.json')
  writeFileSync(path, JSON.stringify(suite))
  const { stdout, stderr } = await run('promtool', ['test', 'rules', path]).catch((error) => error)
  t.match(`${stdout}${stderr}`, 'SUCCESS', `${stdout}${stderr}`)
})
