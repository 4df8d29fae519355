/** The API guide lists every error code with its status, every failure, every option, and correct figures. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import t from 'tap'
import { fileSchema } from '../../config/schema.ts'
import { STATUS } from '../../kernel/errors.ts'
import { responseSchemas } from '../../kernel/http/openapi/document.ts'
import { jsonBodyOf } from '../../kernel/http/operation.ts'
import { createCheck } from '../../kernel/http/request/validation.ts'
import { resources } from '../../kernel/http/resources/index.ts'
import { pluginNamed } from '../fixtures/plugin.ts'
import { blocksOf } from './blocks.ts'

const root = join(import.meta.dirname, '../..')
const guide = readFileSync(join(root, 'docs/api.md'), 'utf8')
const categories = Object.keys((fileSchema.properties.plugins as { properties: object }).properties)

t.test('every error code of an answer, and no others', async (t) => {
  const rows = [...guide.matchAll(/^\| (\d{3}) \| `(\w+)` \|/gm)].map(([, status, code]) => [code, Number(status)])
  t.strictSame(Object.fromEntries(rows), STATUS)
})

t.test('every error code of a failed conversion, and no others', async (t) => {
  const [, table] = guide.split('| failure | meaning |')
  const rows = [...table!.split('\n\n')[0]!.matchAll(/^\| `(\w+)` \|/gm)].map(([, code]) => code)
  const { ConversionError } = responseSchemas(resources, categories) as { ConversionError: any }
  t.strictSame(rows.sort(), [...ConversionError.properties.code.enum].sort())
})

t.test('every option of each category', async (t) => {
  const [, table] = guide.split('| category | options |')
  const listed = new Map<string, string[]>()
  for (const [, names, options] of table!.split('\n\n')[0]!.matchAll(/^\| ([a-z, ]+) \| (.*) \|$/gm)) {
    const keys = [...options!.matchAll(/`(\w+)`/g)].map(([, key]) => key!).sort()
    for (const name of names!.split(', ')) listed.set(name, keys)
  }
  for (const name of categories) {
    const plugin = await pluginNamed(name)
    t.strictSame(listed.get(plugin.category), Object.keys(plugin.options).sort(), name)
  }
})

t.test('the rates of the configuration', async (t) => {
  const { rates } = fileSchema.properties as any
  for (const family of ['conversions', 'uploads', 'downloads', 'authentication']) {
    const { perMinute, perHour } = rates.properties[family].properties
    const name = family === 'authentication' ? 'sign-in' : family
    t.match(guide, new RegExp(`\\| ${name} \\| .* \\| ${perMinute.default} \\| ${perHour.default} \\|`))
  }
})

t.test('the JSON examples are valid', async (t) => {
  const json = (name: string) =>
    blocksOf(join(root, 'docs', name))
      .filter(({ language }) => language === 'json')
      .map(({ text }) => JSON.parse(text))
  const [failed, batch, refusal] = json('api.md')
  const schemas = responseSchemas(resources, categories)
  const endpoints = resources.flatMap((resource) => resource.endpoints)
  const check = (id: string, body: unknown) =>
    createCheck(jsonBodyOf(endpoints.find((each) => each.id === id)!)!, 'The body')(body)
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  const validate = (schema: object, value: unknown) => {
    const isValid = ajv.compile({ ...schema, components: { schemas } })
    t.ok(isValid(value), ajv.errorsText(isValid.errors))
  }
  validate(endpoints.find(({ id }) => id === 'getConversion')!.answer.body!.schema, failed)
  validate({ $ref: '#/components/schemas/ErrorResponse' }, refusal)
  t.throws(() => check('startConversion', { fileId: 'x' }), refusal.error)
  t.doesNotThrow(() => check('startBatch', batch))
  const [request] = json('imports.md')
  t.doesNotThrow(() => check('importFromUrl', request))
})
