import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import type { Findings } from '../../kernel/admin/examine.ts'
import { hasMemoryController } from '../../kernel/sandbox/limits/own-cgroup.ts'
import { freePort } from '../harness/free-port.ts'
import { admin as runAdmin } from '../harness/inside.ts'
import { giveProbes, keepProbes } from '../harness/probes.ts'

const manifest = readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')
const {
  version,
  dependencies: { sharp },
} = JSON.parse(manifest)

const plugin = `const nonesuch = { name: 'nonesuch', binary: ['nonesuch'], version: [], package: 'nonesuch-bin', argv: () => [] }
const dd = { name: 'dd', binary: ['dd'], version: ['--version'], argv: () => [] }
const copier = { name: 'copier', binary: ['cp'], version: ['--version'], argv: (job, args) => [job.input, job.output, args] }
export default {
  category: 'test',
  formats: { tst: { mime: 'text/x-tst' }, idl: { mime: 'text/x-idl' }, steps: { mime: 'text/x-steps' } },
  options: { side: { type: 'string', description: 'Side.' } },
  routes: [
    { from: ['png', 'jpg'], to: ['tst'], engine: nonesuch, args: () => [] },
    {
      from: ['png'],
      to: ['steps'],
      steps: [
        { engine: copier, args: () => ['-b'], output: 'copy.txt' },
        { engine: copier, when: { options: { side: ['left', undefined] } }, output: 'again.txt' },
        { engine: copier, when: { pages: 'several' }, optional: true, uses: [dd], convert: async () => undefined },
      ],
    },
  ],
}`

const folder = t.testdir({ data: {}, 'plugin.mjs': plugin, 'athanor.yaml': 'plugins: { ./plugin.mjs: true }' })
const place = { DATA_DIR: join(folder, 'data'), CONFIG_FILE: join(folder, 'athanor.yaml') }
await giveProbes(place.DATA_DIR)
t.teardown(() => keepProbes(place.DATA_DIR))
const admin = (...args: string[]) => runAdmin(place, ...args)

t.test('doctor lists what is installed, what is missing, and which package to install', async (t) => {
  const { code, stdout, stderr } = await admin('doctor', '--json')
  const findings = JSON.parse(stdout) as Findings
  t.equal(code, 0, stderr)
  t.equal(findings.version, version)
  const { lists, compared, security } = findings.debian
  const isUpToDate = lists.state === 'current' && compared > 0 && security.length === 0
  t.equal((await admin('doctor', '--strict')).code, isUpToDate ? 0 : 1)
  t.match(findings.sandbox, { mode: 'bubblewrap', works: true })
  t.match(findings.memoryGroups, hasMemoryController() ? 'Delegate=yes' : 'no memory controller')
  const engine = (name: string) => findings.engines.find((item) => item.name === name)
  t.match(engine('sharp'), { found: true, version: sharp })
  t.match(engine('nonesuch'), { found: false, package: 'nonesuch-bin', pairs: 2, alone: 2 })
  t.match(engine('nonesuch')!.missing, 'apt-get install nonesuch-bin')
  t.strictSame(findings.formatsWithoutRoutes.test, ['tst', 'idl'])
  t.ok(findings.pairs.missing >= 2)
  t.match(
    findings.obstacles.find(({ reason }) => reason.startsWith('nonesuch')),
    { pairs: 2 },
  )
  t.match(
    findings.plugins.find((item) => item.category === 'test'),
    { state: 'open', formats: 3, pairs: 1 },
  )
  t.match(findings.configuration, { mode: 'development', environment: ['CONFIG_FILE', 'DATA_DIR'] })
  t.match(findings.configuration.file, 'athanor.yaml')
  t.match(findings.debian.lists.state, /^(current|stale|absent)$/)
  t.ok(findings.debian.compared > 100, 'the libraries that engines load are compared, not the engines alone')
})

t.test('doctor prints the same as text, and the command that installs the rest', async (t) => {
  const { stdout } = await admin('doctor')
  t.match(stdout, /^Sandbox +bubblewrap: /m)
  t.match(stdout, /^Security +(UNKNOWN: .*(no package list|expired on)|\d+ of \d+ packages .*fetched \d+)/m)
  t.match(stdout, new RegExp(`^ +sharp +${sharp.replaceAll('.', '\\.')} .* \\d+ pairs`, 'm'))
  t.match(stdout, /^ +nonesuch .* 2 pairs, 2 lost$/m)
  t.match(stdout, /^To install them: apt-get install --no-install-recommends .*nonesuch-bin/m)
})

t.test('doctor of a node says that its database is away', async (t) => {
  const port = await freePort()
  const { code, stdout } = await runAdmin(
    {
      ...place,
      DATABASE_URL: `mysql://root@localhost:${port}/athanor`,
      REDIS_URL: `redis://127.0.0.1:${port}`,
      STORAGE_URL: `file://${folder}`,
      JWT_SECRET: 'a secret of more than thirty-two characters',
    },
    ...['doctor', '--json'],
  )
  t.equal(code, 0)
  t.match((JSON.parse(stdout) as Findings).nodes, {
    fault: /^The database cannot be used: .*ECONNREFUSED.*\. Check DATABASE_URL\.$/,
    living: [],
  })
})

t.test('doctor prints the steps of a pair without running them', async (t) => {
  const { code, stdout } = await admin('doctor', '--pair', 'PNG:steps', '--json')
  t.equal(code, 0)
  const way = { legs: [{ from: 'png', to: 'steps', engine: 'copier' }] }
  const { ways, ...rest } = JSON.parse(stdout)
  t.match(rest, { from: 'png', to: 'steps', category: 'test', closed: false, obstacles: [] })
  t.match(ways, [way])
  t.match(ways[0].legs[0].steps, [
    { engine: 'copier', command: ['/in/file.png', '/scratch/copy.txt', '-b'] },
    {
      engine: 'copier',
      when: 'options.side is "left" or not given',
      command: ['/scratch/copy.txt', '/scratch/again.txt'],
    },
    { engine: 'copier', when: 'the source has several pages', decides: true, uses: ['dd'] },
  ])
  const told = await admin('doctor', '--pair', 'png:steps')
  t.match(
    told.stdout,
    /^png to steps \(test\): one route\n\n1\. by copier\n {3}- copier: \/in\/file\.png \/scratch\/copy\.txt -b$/m,
  )
  t.match(told.stdout, /- copier \(if the source has several pages, may refuse\): decides while running; may run dd/)
})

t.test('doctor explains why a pair is missing, and names unknown formats', async (t) => {
  const { code, stdout } = await admin('doctor', '--pair', 'png:tst')
  t.equal(code, 0)
  t.match(stdout, /^png to tst \(test\): not possible on this machine\n\nUnavailable routes\n {3}- nonesuch/)
  t.match(await admin('doctor', '--pair', 'png'), { code: 2, stderr: /"png" is not a pair; write it as docx:png/ })
  t.match(await admin('doctor', '--pair', 'png:qqq'), { code: 2, stderr: /no plugin has the format "qqq"/ })
  t.match(await admin('doctor', '--pair', 'tst:mp3'), { code: 2, stderr: /no plugin declares tst to mp3/ })
})

t.test('help is printed, and unknown commands fail', async (t) => {
  t.match(await admin('--help'), { code: 0, stdout: /doctor +\S/ })
  t.match(await admin('doctor', '--help'), { code: 0, stdout: /--json/ })
  t.match(await admin(), { code: 2, stdout: /^Usage/ })
  t.match(await admin('doktor'), { code: 2, stderr: /Unknown command "doktor"\. .*doctor/ })
  t.match(await admin('toString'), { code: 2, stderr: /Unknown command/ })
  t.match(await admin('doctor', '--jsn'), { code: 2, stderr: /--jsn/ })
})
