import type { FailureCode } from '../../kernel/contract.ts'

/** A file that a feature is read from: a specimen, or the result of a conversion. */
export interface Subject {
  /** Absolute path. */
  path: string
  format: string
  /** Whether it is a zip with one file of the format for each page. */
  paged: boolean
  /** Whether a conversion made it. Otherwise it is the specimen itself. */
  converted: boolean
  /** The specimen, or that which the result was made from. */
  specimen: Specimen
}

/** How a conversion of a specimen must fail: exactly what a client reads. */
export interface Refused {
  code: FailureCode
  message: string
  /** Other messages, by target. */
  others?: Readonly<Record<string, string>>
}

/** How a file is made, and what is special about it. */
export interface Specimen {
  /** Unique in its family, such as `cmyk.jpg`. */
  name: string
  /** Its source format. */
  from: string
  /** Features of the family that it certainly has. A reader that finds none of them fails. */
  features: readonly string[]
  /** Writes `output`; `scratch` is a folder for intermediates. */
  make: (output: string, scratch: string) => Promise<unknown>
  /** Absolute path of a file that is not made. */
  path?: string
  /** Whether it was found, and no test knows what it shows. */
  real?: true
  /** Values of features, by name, that no independent program can read from the file. */
  truth?: Readonly<Record<string, unknown>>
  /** Set if no conversion of it may succeed. */
  refused?: Refused
}

type Said = string | undefined

/** Something that a conversion must keep, or drops on purpose. */
export interface Feature<Value = any> {
  name: string
  /** Tells whether a pair must keep it. `dropped` is written in docs/fidelity.md; undefined does not apply. */
  rule: (from: string, to: string) => 'kept' | 'dropped' | undefined
  /** A phrase of docs/fidelity.md about targets that drop it. Required if a rule says `dropped`. */
  documented?: string
  /** Reads it by another program than the one that wrote the file. Undefined if the file has none. */
  read: (subject: Subject) => Promise<Value | undefined>
  /** Says how a result differs by more than the tolerance; undefined if it does not. */
  differs: (wanted: Value, got: Value | undefined, result: Subject, source: Subject) => Said | Promise<Said>
}

/** Source formats with the same features. */
export interface Family {
  name: string
  specimens: readonly Specimen[]
  features: readonly Feature[]
  /** Source formats of found files. */
  formats: readonly string[]
  /** Targets that every specimen is tried with, besides the most used. */
  canonical: (from: string) => readonly string[]
  /** Whether a specimen has what a target needs, such as words for `txt`. Default: always. */
  suits?: (specimen: Specimen, to: string) => boolean
}
