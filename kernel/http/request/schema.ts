/** The part of JSON Schema that requests need. */
export interface Schema {
  type: 'object' | 'string' | 'integer' | 'boolean' | 'array'
  description?: string
  enum?: readonly unknown[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  /** Of an array: its entries, and how many there may be. */
  items?: ObjectSchema | { type: 'string'; enum?: readonly string[] }
  minItems?: number
  maxItems?: number
  format?: 'email' | 'date-time'
  /** What the OpenAPI document shows of an object that other code validates. */
  published?: object
  default?: unknown
  examples?: readonly unknown[]
}

/** The fields of a JSON body or of a query. */
export interface ObjectSchema {
  type: 'object'
  description?: string
  required?: readonly string[]
  properties: Readonly<Record<string, Schema>>
}

/** The type of the values that a schema accepts. */
type ValueOf<S extends Schema> = S extends { enum: readonly (infer Choice)[] }
  ? Choice
  : S extends { type: 'string' }
    ? string
    : S extends { type: 'integer' }
      ? number
      : S extends { type: 'boolean' }
        ? boolean
        : S extends { type: 'array'; items: infer Items }
          ? (Items extends ObjectSchema
              ? FieldsOf<Items>
              : Items extends { enum: readonly (infer Choice)[] }
                ? Choice
                : string)[]
          : Record<string, unknown>

type Needed<S extends ObjectSchema> = S extends { required: readonly (infer Name)[] } ? Name : never

/** The type of the objects that a schema accepts. */
export type FieldsOf<S extends ObjectSchema> = {
  -readonly [Name in keyof S['properties'] as Name extends Needed<S> ? Name : never]: ValueOf<S['properties'][Name]>
} & {
  -readonly [Name in keyof S['properties'] as Name extends Needed<S> ? never : Name]?: ValueOf<S['properties'][Name]>
}
