/**
 * The type of a value that `check` has accepted and completed, from its JSON Schema. Required keys and keys with a
 * default exist. `bytes` and `duration` are numbers (bytes, milliseconds).
 *
 * Supports only the keywords of our schemas: type, enum, items, properties, additionalProperties, required, default.
 */
export type FromSchema<S> = S extends { enum: readonly (infer Value)[] }
  ? Value
  : S extends { bytes: number } | { duration: number }
    ? number | ('null' extends TypesOf<S> ? null : never)
    : OfType<TypesOf<S>, S>

/** The names in `type`, which is one name or a list. */
type TypesOf<S> = S extends { type: infer Type } ? (Type extends readonly (infer Each)[] ? Each : Type) : never

type OfType<Type, S> = Type extends 'object'
  ? Properties<S>
  : Type extends 'array'
    ? readonly (S extends { items: infer Items } ? FromSchema<Items> : unknown)[]
    : Type extends keyof Scalars
      ? Scalars[Type]
      : never

interface Scalars {
  string: string
  integer: number
  number: number
  boolean: boolean
  null: null
}

type Properties<S> = S extends { additionalProperties: infer Other extends object }
  ? Record<string, FromSchema<Other | (S extends { properties: infer P } ? P[keyof P] : never)>>
  : S extends { properties: infer P }
    ? Flat<
        { -readonly [K in keyof P as K extends Present<S, P> ? K : never]: FromSchema<P[K]> } & {
          -readonly [K in keyof P as K extends Present<S, P> ? never : K]?: FromSchema<P[K]>
        }
      >
    : Record<string, unknown>

/** Keys that exist in every accepted value. */
type Present<S, P> =
  | { [K in keyof P]: P[K] extends { default: unknown } ? K : never }[keyof P]
  | (S extends { required: readonly (infer Key)[] } ? Key : never)

/** Flattens an intersection into one object type, for readable compiler messages. */
type Flat<T> = { [K in keyof T]: T[K] }
