import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import type { Plugin } from '../kernel/contract.ts'
import { conformance } from './conformance.ts'
import stub from './stub-plugin/index.ts'

const folder = join(import.meta.dirname, '../plugins')

for (const name of await readdir(folder)) {
  const { default: plugin } = (await import(join(folder, name, 'index.ts'))) as { default: Plugin }
  await conformance(plugin, t)
}

await conformance(await stub({ settings: {}, engines: {} }), t)

t.test('a plugin that does not conform is told', async (t) => {
  const faulty: Plugin = {
    category: 'faulty',
    formats: { aaa: { mime: 'nonsense' }, bbb: { mime: 'text/plain', aliases: ['aaa'] } },
    options: { level: { type: 'integer', maximum: 9, default: 10, description: 'Out of its own bounds.' } },
    routes: [{ from: ['txt'], to: ['png'], via: 'pdf' }],
  }
  const complaints: string[] = []
  const note = (fine: unknown, message: string) => fine || complaints.push(message)
  const listener = {
    ok: note,
    notOk: (value: unknown, message: string) => note(!value, message),
    same: (value: unknown, wanted: unknown, message: string) =>
      note(JSON.stringify(value) === JSON.stringify(wanted), message),
    equal: (value: unknown, wanted: unknown, message: string) => note(value === wanted, message),
    type: (value: unknown, type: string, message: string) => note(typeof value === type, message),
    test: async (_: string, run: (t: unknown) => Promise<void>) => run(listener),
  }
  await conformance(faulty, listener as never)
  t.strictSame(complaints, [
    'the manifest has the shape of the contract',
    'every extension and alias means one format',
    'the default of options.level is allowed',
    "txt to png via pdf: the targets are the plugin's",
  ])
})
