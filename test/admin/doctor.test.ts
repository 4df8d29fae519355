import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import type { Findings } from '../../kernel/admin/examine.ts'
import { examineNodes } from '../../kernel/admin/nodes.ts'
import { render } from '../../kernel/admin/render.ts'
import { hasMemoryController } from '../../kernel/sandbox/limits/own-cgroup.ts'
import { freePort } from '../harness/free-port.ts'
import { admin } from '../harness/inside.ts'
import { giveProbes, keepProbes } from '../harness/probes.ts'
import { pluginsOf } from '../harness/program.ts'

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

const folder = t.testdir({
  data: {},
  'plugin.mjs': plugin,
  'athanor.yaml': 'plugins: { ./plugin.mjs: true }',
  'only.yaml': JSON.stringify({ plugins: { ...pluginsOf(), './plugin.mjs': true }, sandbox: 'none' }),
})
const place = { DATA_DIR: join(folder, 'data'), CONFIG_FILE: join(folder, 'athanor.yaml') }
const elsewhere = { DATA_DIR: join(folder, 'none'), CONFIG_FILE: join(folder, 'only.yaml') }

t.test('doctor lists what is installed, what is missing, and which package to install', async (t) => {
  await giveProbes(place.DATA_DIR)
  const { code, stdout, stderr } = await admin(place, 'doctor', '--json', '--strict')
  await keepProbes(place.DATA_DIR)
  const findings = JSON.parse(stdout) as Findings
  t.equal(findings.version, version, stderr)
  const { lists, compared, security } = findings.debian
  const isUpToDate = lists.state === 'current' && compared > 0 && security.length === 0
  t.equal(code, isUpToDate ? 0 : 1)
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
  t.ok(findings.debian.compared > 100, 'the libraries that engines load are compared, not the engines alone')

  const text = render(findings).join('\n')
  t.match(text, /^Sandbox +bubblewrap: /m)
  t.match(text, /^Security +(UNKNOWN: .*(no package list|expired on)|\d+ of \d+ packages .*fetched \d+)/m)
  t.match(text, new RegExp(`^ +sharp +${sharp.replaceAll('.', '\\.')} .* \\d+ pairs`, 'm'))
  t.match(text, /^ +nonesuch .* 2 pairs, 2 lost$/m)
  t.match(text, /^To install them: apt-get install --no-install-recommends .*nonesuch-bin/m)
})

t.test('of a node, it says that its database is away', async (t) => {
  const databaseUrl = `mysql://root@localhost:${await freePort()}/athanor`
  const found = await examineNodes({ redisUrl: 'redis://127.0.0.1', databaseUrl, dataDir: folder })
  const fault = /^The database cannot be used: .*ECONNREFUSED.*\. Check DATABASE_URL\.$/
  t.match(found, { fault, living: [] })
})

t.test('doctor prints the steps of a pair without running them, and creates no data folder', async (t) => {
  const { code, stdout } = await admin(elsewhere, 'doctor', '--pair', 'PNG:steps', '--json')
  t.equal(code, 0)
  t.match(JSON.parse(stdout), {
    from: 'png',
    to: 'steps',
    category: 'test',
    closed: false,
    obstacles: [],
    ways: [{ legs: [{ from: 'png', to: 'steps', engine: 'copier' }] }],
  })
  const copies = { engine: 'copier', command: ['/scratch/copy.txt', '/scratch/again.txt'] }
  t.match(JSON.parse(stdout).ways[0].legs[0].steps, [
    { engine: 'copier', command: ['/in/file.png', '/scratch/copy.txt', '-b'] },
    { ...copies, when: 'options.side is "left" or not given' },
    { engine: 'copier', when: 'the source has several pages', decides: true, uses: ['dd'] },
  ])
  const told = await admin(elsewhere, 'doctor', '--pair', 'png:steps')
  const first =
    /^png to steps \(test\): one route\n\n1\. by copier\n {3}- copier: \/in\/file\.png \/scratch\/copy\.txt -b$/m
  t.match(told.stdout, first)
  t.match(told.stdout, /- copier \(if the source has several pages, may refuse\): decides while running; may run dd/)
  t.notOk(existsSync(elsewhere.DATA_DIR))
})

t.test('doctor explains why a pair is missing, and names unknown formats', async (t) => {
  const missing = /^png to tst \(test\): not possible on this machine\n\nUnavailable routes\n {3}- nonesuch/
  for (const [pair, answer] of [
    ['png:tst', { code: 0, stdout: missing }],
    ['png', { code: 2, stderr: /"png" is not a pair; write it as docx:png/ }],
    ['png:qqq', { code: 2, stderr: /no plugin has the format "qqq"/ }],
    ['tst:mp3', { code: 2, stderr: /no plugin declares tst to mp3/ }],
  ] as const)
    t.match(await admin(elsewhere, 'doctor', '--pair', pair), answer, pair)
})

t.test('help is printed, and unknown commands fail', async (t) => {
  for (const [args, answer] of [
    [['--help'], { code: 0, stdout: /doctor +\S/ }],
    [['doctor', '--help'], { code: 0, stdout: /--json/ }],
    [[], { code: 2, stdout: /^Usage/ }],
    [['doktor'], { code: 2, stderr: /Unknown command "doktor"\. .*doctor/ }],
    [['toString'], { code: 2, stderr: /Unknown command/ }],
    [['doctor', '--jsn'], { code: 2, stderr: /--jsn/ }],
  ] as const)
    t.match(await admin(place, ...args), answer, args.join())
})
