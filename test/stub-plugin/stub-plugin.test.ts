/** The external plugin, loaded by path and run in the real sandbox, with all options that other tests use. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { folderOf } from '../harness/folder.ts'
import { startMachine } from '../harness/machine.ts'
import type { StubOptions } from './scribe.ts'

const source = join(await folderOf(t), 'hello.stub')
await writeFile(source, 'STUB\nHello.\n', { mode: 0o644 })
const machine = await startMachine({ [import.meta.dirname]: { heading: 'From outside', heavyFrom: 1000 } })
t.teardown(() => machine[Symbol.asyncDispose]())

const pair = machine.catalogue.pairs.get('stub>bust')!
const convert = (options: StubOptions, report = (_: number) => {}, signal = AbortSignal.timeout(120_000)) =>
  machine.converter.convert({
    owner: 'user_stub',
    source,
    pair,
    intent: 'convert',
    name: 'hello',
    size: 12,
    signal,
    report,
    options: machine.options.complete(pair.plugin, 'bust', 'convert', { ...options }),
  })

t.test('it converts, with the heading from its settings', async (t) => {
  await using made = await convert({})
  t.equal(await readFile(made.path, 'utf8'), 'BUST\nFrom outside\nHello.\n')
})

t.test('its progress comes from its output', async (t) => {
  const seen: number[] = []
  await using made = await convert({ sleep: 500 }, (fraction) => seen.push(fraction))
  t.ok(made.size > 0)
  t.strictSame(seen, [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1])
})

t.test('it fails as requested', async (t) => {
  await t.rejects(convert({ fail: 'refuse' }), { code: 'CONVERSION_ERROR', message: 'The stub was asked to fail' })
  await t.rejects(convert({ fail: 'encrypted' }), { code: 'ENCRYPTED_INPUT', message: 'The stub is locked' })
  await t.rejects(convert({ fail: 'crash' }), { code: 'CONVERSION_ERROR' })
  await t.rejects(convert({ fail: 'silent' }), { code: 'CONVERSION_ERROR' })
})

t.test('it hangs, ignores signals and has children, until it is aborted', async (t) => {
  const reason = new Error('enough')
  const running = convert({ hang: true, stubborn: true, fork: 3 }, undefined, AbortSignal.any([late(reason)]))
  await t.rejects(running, reason)
})

t.test('it waits in the heavy lane on request, or if the file is large', async (t) => {
  const job = { from: 'stub', to: 'bust', intent: 'convert', size: 12, options: {} } as const
  const { heavy } = pair.plugin
  t.equal(heavy?.(job), false)
  t.equal(heavy?.({ ...job, options: { heavy: true } }), true)
  t.equal(heavy?.({ ...job, size: 1000 }), true)
})

/** Aborts after a second with a reason. */
function late(reason: Error): AbortSignal {
  const controller = new AbortController()
  setTimeout(() => controller.abort(reason), 1000)
  return controller.signal
}
