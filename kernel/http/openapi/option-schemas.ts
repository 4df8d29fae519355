import type { OptionSchema, Plugin } from '../../contract.ts'
import type { ObjectSchema, Schema } from '../request/schema.ts'

/** The name of a category's options: `ImageOptions`. */
const nameOf = (category: string) =>
  `${category.replace(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase())}Options`

/**
 * The options of each category, and `ConversionOptions`: any of them. Bounds that differ by target are in the tool's
 * own schema.
 */
export function optionSchemas(plugins: Iterable<Plugin>): Record<string, object> {
  const taken = [...plugins].filter(({ options }) => Object.keys(options).length)
  const schemas = taken.map(({ category, options }) => {
    const properties = Object.fromEntries(Object.entries(options).map(([key, schema]) => [key, published(schema)]))
    return [nameOf(category), { type: 'object', properties, additionalProperties: false }]
  })
  return {
    ...Object.fromEntries(schemas),
    ConversionOptions: {
      description: 'Options of the category of the target. The `options` of a tool are their JSON Schema.',
      anyOf: schemas.map(([name]) => ({ $ref: `#/components/schemas/${name}` })),
    },
  }
}

/**
 * Not published: what only this service reads; titles, by which generators would name types; units, which descriptions
 * name.
 */
const HIDDEN = ['defaults', 'effect', 'implied', 'title', 'unit']

const published = (option: OptionSchema) =>
  optional(Object.fromEntries(Object.entries(option).filter(([key]) => !HIDDEN.includes(key))))

/**
 * Generators treat a property with a default as one that is always there, also in requests. So the description says
 * it.
 */
function optional<S extends { default?: unknown; description?: string }>({ default: value, ...schema }: S) {
  if (value === undefined) return schema
  return { ...schema, description: `${schema.description ?? ''} Default: ${value}.`.trim() }
}

/** A schema of a request as the document shows it, with what other code accepts where the schema leaves it open. */
export function publish(schema: ObjectSchema | Schema): object {
  const { published, items, ...rest } = optional(schema as Schema) as Schema & Partial<ObjectSchema>
  if (published) return { ...(rest.description && { description: rest.description }), ...published }
  const properties = rest.properties && Object.entries(rest.properties).map(([name, each]) => [name, publish(each)])
  return {
    ...rest,
    ...(items && { items: publish(items) }),
    ...(properties && { properties: Object.fromEntries(properties) }),
  }
}
