import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import type { Plugin } from '../kernel/contract.ts'
import { conformance, examine } from '../sdk/conformance.ts'
import { pluginNamed } from './fixtures/plugin.ts'
import stub from './stub-plugin/index.ts'

const folder = join(import.meta.dirname, '../plugins')

for (const name of (await readdir(folder)).filter((name) => name !== 'formats')) {
  await conformance(await pluginNamed(name), t)
}

await conformance(await stub({ settings: {}, engines: {} }), t)

const pen = { name: 'pen', binary: ['pen'], version: ['-v'], argv: () => ['-q'] }
const faulty: Plugin = {
  category: 'faulty',
  formats: {
    aaa: { mime: 'text/plain', sniff: () => true },
    bbb: { mime: 'text/plain', sniff: (head) => head[0]!.toString() === '1' },
  },
  options: { level: { type: 'integer', maximum: 9, description: 'Without a full stop' } },
  routes: [
    { from: ['txt'], to: ['aaa'], engine: pen, args: ({ options }) => ['-l', `${options.level}`] },
    { from: ['md'], to: ['aaa'], via: 'md' },
    { from: ['rst'], to: ['bbb'], engine: pen, args: () => [Math.random()] },
    { from: ['html'], to: ['bbb'], engine: { ...pen, progress: () => () => 40 }, args: () => [] },
    { from: ['odt'], to: ['bbb'], engine: pen, args: (job) => [((job as { name: string }).name += 'x') && null] },
  ],
  heavy: ({ size }) => (size > 1e6 ? (1 as never) : false),
}

t.test('a plugin that does not conform is reported', async (t) => {
  const faults = examine(faulty).flatMap(({ faults }) => faults)
  t.strictSame(faults, [
    'formats.aaa.sniff takes 64 KiB of zeros for aaa',
    "formats.bbb.sniff threw: Cannot read properties of undefined (reading 'toString')",
    'options.level.description must be a sentence that ends with a full stop',
    'routes[0].args for aaa holds a missing value: "undefined"',
    'routes[1].via: a detour goes by a third format, not by md',
    'routes[2].args for bbb change from call to call',
    'pen.argv for bbb does not name the input (job.input)',
    'pen.argv for bbb does not name the output (job.output)',
    'routes[4].args for bbb change the job',
    ...['', 'nonsense', '-1', '100%', '\ufffd'.repeat(20)].map(
      (line) => `pen.progress gave 40 for ${JSON.stringify(line)}: 0 to 1, or nothing`,
    ),
    'heavy for txt to aaa of 5000000000 bytes must be true or false, not number',
    'heavy for md to aaa of 5000000000 bytes must be true or false, not number',
    'heavy for rst to bbb of 5000000000 bytes must be true or false, not number',
    'heavy for html to bbb of 5000000000 bytes must be true or false, not number',
    'heavy for odt to bbb of 5000000000 bytes must be true or false, not number',
  ])
})

t.test('if the manifest has faults, only these are reported', async (t) => {
  const aaa = (format: object) => ({ formats: { bbb: { mime: 'text/b' }, aaa: { mime: 'text/a', ...format } } })
  const cases: [change: object, fault: string][] = [
    [aaa({ mime: 'nonsense' }), 'formats.aaa.mime must be a media type such as "image/png", not "nonsense"'],
    [aaa({ aliases: ['bbb'] }), 'formats.aaa.aliases[0]: "bbb" is already a name of bbb'],
    [
      aaa({ signatures: [5] }),
      'formats.aaa.signatures[0] must be bytes as text, { bytes, at } or a regular expression',
    ],
    [aaa({ signatures: [{ bytes: 'AB' }] }), 'formats.aaa.signatures[0] must be bytes as text, { bytes, at } or a'],
    [aaa({ marks: ['WEBVTT'] }), 'formats.aaa.marks[0] must be a regular expression, not "WEBVTT"'],
    [aaa({ text: 'yes' }), 'formats.aaa.text must be "plain" or "marked", not "yes"'],
    [
      { options: { level: { type: 'integer', maximum: 9, default: 10, description: 'L.' } } },
      'options.level.default is 10, which the schema of the option does not allow',
    ],
    [
      { routes: [{ from: ['txt'], to: ['png'], via: 'pdf' }] },
      'routes[0].to[0]: "png" is not a format of this plugin, which has aaa, bbb',
    ],
  ]
  for (const [change, fault] of cases) {
    const [found, ...more] = examine({ ...faulty, ...change })
    t.match(found?.faults.join(), fault)
    t.strictSame(more, [], 'nothing else')
  }
  t.match(examine(stub), [{ faults: [/^this is a factory: call it first/] }])
})

t.test('a fault fails the test, with tap and with other runners', async (t) => {
  const failed: string[] = []
  const other = {
    test: async (name: string, run: (t: unknown) => Promise<void>) => run(other).catch(() => failed.push(name)),
  }
  await conformance(faulty, other as never)
  t.ok(failed.includes('routes[0]: txt to aaa by pen'), failed.join(', '))
  const complaints: unknown[] = []
  const tap = {
    strictSame: (found: string[]) => complaints.push(...found),
    test: async (_: string, run: (t: unknown) => Promise<void>) => run(tap),
  }
  await conformance(faulty, tap as never)
  t.strictSame(
    complaints,
    examine(faulty).flatMap(({ faults }) => faults),
  )
})
