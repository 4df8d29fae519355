/**
 * The rules that every plugin must follow, bundled or third-party. Call it in a short test, with Node's test runner or
 * with tap:
 *
 *     import { conformance } from 'athanor/conformance'
 *     import plugin from './index.js'
 *
 *     await conformance(plugin)
 *
 * It reads the manifest and calls its pure functions. It starts no program, so it does not prove that a pair works:
 * test that by converting a real file.
 */
import assert from 'node:assert/strict'
import { faultsOf } from '../kernel/catalogue/manifest/faults.ts'
import type { Plugin } from '../kernel/contract.ts'
import { engineFindings } from './engines.ts'
import { formatFindings, heavyFindings, lossFindings, optionFindings } from './functions.ts'
import type { Finding } from './job.ts'
import { routeFindings } from './routes.ts'

export type { Finding }

/** The required part of a test runner: `test` of `node:test`, its context, or tap's `t`. */
export interface Suite {
  // biome-ignore lint/suspicious/noExplicitAny: the contexts of node:test and tap share no type.
  test(name: string, run: (t: any) => Promise<void>): unknown
}

/**
 * Tests a plugin, as one test with a subtest for each check.
 *
 * @param plugin What the package exports; a factory is called by the author, with settings of the author's choice.
 * @param suite The test to report to. Default: Node's test runner.
 */
export async function conformance(plugin: Plugin, suite?: Suite): Promise<void> {
  const runner = suite ?? ((await import('node:test')).default as Suite)
  const category = (plugin as Partial<Plugin> | undefined)?.category ?? 'without a category'
  await runner.test(`the plugin ${category} conforms`, async (t) => {
    for (const { check, faults } of examine(plugin)) {
      await t.test(check, async (t: { strictSame?: (found: unknown, wanted: unknown, message: string) => void }) => {
        if (t.strictSame) t.strictSame(faults, [], check)
        else assert.deepEqual(faults, [])
      })
    }
  })
}

/** The findings as data, for other test runners. If the manifest has a fault, its functions are not called. */
export function examine(plugin: unknown): Finding[] {
  const manifest: Finding = { check: 'the manifest has the shape of the contract', faults: manifestFaults(plugin) }
  if (manifest.faults.length > 0) return [manifest]
  const sound = plugin as Plugin
  return [
    manifest,
    ...formatFindings(sound),
    ...optionFindings(sound),
    ...routeFindings(sound),
    ...engineFindings(sound),
    ...heavyFindings(sound),
    ...lossFindings(sound),
  ]
}

function manifestFaults(plugin: unknown): string[] {
  if (typeof plugin !== 'function') return faultsOf(plugin)
  return ['this is a factory: call it first, as in conformance(await plugin({ settings: {}, engines: {} }))']
}
