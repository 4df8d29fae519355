/**
 * The type of a value that `check` has accepted and completed, by its JSON Schema: a key with a default, or one that is
 * required, is there; `bytes` and `duration` have become numbers (bytes, milliseconds).
 *
 * Only what our schemas use: type, enum, items, properties, additionalProperties, required, default.
 */
export type FromSchema<S> = S extends { enum: readonly (infer Value)[] }
  ? Value
  : S extends { bytes: number } | { duration: number }
    ? number | ('null' extends TypesOf<S> ? null : never)
    : OfType<TypesOf<S>, S>

/** The names in `type`, which is one of them or a list. */
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

/** Keys that every accepted value has. */
type Present<S, P> =
  | { [K in keyof P]: P[K] extends { default: unknown } ? K : never }[keyof P]
  | (S extends { required: readonly (infer Key)[] } ? Key : never)

/** One object type out of an intersection, as messages of the compiler show it. */
type Flat<T> = { [K in keyof T]: T[K] }
