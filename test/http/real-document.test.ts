/** The OpenAPI document of an installation with every bundled plugin and every engine. */
import { Validator } from '@seriousme/openapi-schema-validator'
import t from 'tap'
import { loadConfig } from '../../config/load.ts'
import type { Kernel } from '../../kernel/boot/kernel.ts'
import { createCatalogue } from '../../kernel/catalogue/catalogue.ts'
import { loadPlugins } from '../../kernel/catalogue/loader.ts'
import { enginesOf, isDirect, needsOf } from '../../kernel/catalogue/manifest/route.ts'
import type { Probe } from '../../kernel/catalogue/probe.ts'
import type { Engine } from '../../kernel/contract.ts'
import { createDocument } from '../../kernel/http/openapi/document.ts'
import { resources } from '../../kernel/http/resources/index.ts'

const config = loadConfig({ env: {}, argv: [] })
const loaded = await loadPlugins(config.plugins)
const plugins = loaded.map(({ plugin }) => plugin)
const needs = plugins.flatMap(({ routes }) => routes.filter(isDirect).flatMap(needsOf))
const featuresOf = (engine: Engine) => needs.flatMap((need) => (need.engine === engine ? need.features : [])).join(' ')
const probes = new Map<Engine, Probe>(
  [...enginesOf(plugins)].map((engine) => [engine, { path: '/', version: '1', features: featuresOf(engine) }]),
)
const catalogue = createCatalogue(loaded, probes)
const document = createDocument({ catalogue, config } as Kernel, resources)

t.test('it covers everything, and is valid OpenAPI 3.1', async (t) => {
  const { valid, errors } = await new Validator().validate(structuredClone(document))
  t.ok(valid, 'valid', { errors })
  t.ok(catalogue.pairs.size > 7000, `${catalogue.pairs.size} pairs`)
  t.strictSame(
    plugins.filter(({ options, category }) => {
      const name = `${category[0]!.toUpperCase()}${category.slice(1)}Options`
      return Object.keys(options).length > 0 && !(name in document.components.schemas)
    }),
    [],
    'the options of every category',
  )
})

// Tools for agents and reports took 1,600.
t.test('it has at most 107,000 bytes', async (t) => {
  const { length } = Buffer.from(JSON.stringify(document))
  t.ok(length <= 107_000, `${length} bytes`)
})

t.test('every operation has a summary and a description of its own', async (t) => {
  const operations = Object.values(document.paths).flatMap(({ parameters: _, ...item }) =>
    Object.values(item),
  ) as Record<string, string>[]
  for (const { operationId, summary, description } of operations) {
    t.match(summary, /^[A-Z].*[^.]$/, `${operationId} has a title`)
    t.match(description, /^[A-Z`].*\.$/, `${operationId} has sentences`)
    t.ok(summary!.length < 50, `${operationId}: the title is short`)
    t.not(description!.replace(/\.$/, ''), summary, `${operationId} tells more than its title`)
  }
})
