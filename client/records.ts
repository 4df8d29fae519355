/** Answers of the service, as in its OpenAPI document. The client ignores fields that newer versions add. */

/** One row of the list of formats. */
export interface Format {
  /** Canonical name, such as `jpg`. */
  extension: string
  aliases: readonly string[]
  mimeType: string
  category: string
  readable: boolean
  writable: boolean
  /** Targets of this format; includes the format itself if it can be optimised. */
  targets: readonly string[]
}

/** One pair of formats. */
export interface Tool {
  slug: string
  category: string
  fromFormat: string
  toFormat: string
  jobIntent: 'convert' | 'transform'
  options: OptionsSchema
  enabled: boolean
}

/** The JSON Schema of a tool's options. */
export interface OptionsSchema {
  properties: Readonly<Record<string, OptionSchema>>
  /** Combinations that the service refuses. */
  allOf?: readonly { not: Forbidden }[]
  /** Values of options under one name, for people. */
  'x-presets'?: readonly { name: string; title: string; options: Options }[]
}

export interface OptionSchema {
  type: 'integer' | 'number' | 'string' | 'boolean'
  /** Two or three words. */
  title: string
  unit?: string
  enum?: readonly (string | number)[]
  minimum?: number
  maximum?: number
  default?: string | number | boolean
  description: string
  /** False if the option has no effect on this target. */
  'x-effect'?: boolean
}

/** The service refuses options that have all keys in `required`, with the values in `properties`, if any. */
export interface Forbidden {
  required: readonly string[]
  properties?: Readonly<Record<string, { const: unknown }>>
}

export type Options = Readonly<Record<string, string | number | boolean>>

export interface Upload {
  file: {
    fileId: string
    originalName: string
    mimeType: string
    /** Bytes. */
    size: number
    format: string
    category: string
  }
  /** Targets, most wanted first. */
  suggestions: readonly string[]
}

export interface StartRequest {
  fileId: string
  toFormat: string
  fromFormat?: string
  fileName?: string
  jobIntent?: 'convert' | 'transform'
  options?: Options
}

/** One file of a batch. `path` is its relative path: the ZIP of the results keeps its folders. */
export interface BatchFile extends StartRequest {
  fileName: string
  fileSize: number
  fromFormat: string
  path?: string
}

/** What became of one file of a batch, in the order of the request. */
export type BatchItem = { fileId: string } & ({ conversionId: string } | { error: { code: string; message: string } })

export interface Batch {
  id: string
  status: 'queued' | 'processing' | 'completed'
  /** One ZIP of all results, when completed. Valid for some minutes. */
  outputUrl?: string
  conversions: readonly Conversion[]
}

/** What was used of the plan. */
export interface Usage {
  /** Since midnight (UTC). */
  conversionsToday: number
  bytesToday: number
  pendingJobs: number
  /** Bytes of uploads and results that are kept now. */
  storedBytes: number
}

export interface Conversion {
  id: string
  status: 'queued' | 'processing' | 'completed' | 'failed'
  /** 0 to 100; never falls. */
  progress: number
  /** Place in the queue while it waits; 1 is the first. */
  queuePosition?: number
  fromFormat: string
  toFormat: string
  /** Of the source, without extension. */
  name: string
  /** Bytes. */
  sourceSize: number
  outputFileId?: string
  /** Valid for some minutes. */
  outputUrl?: string
  /** Bytes. */
  outputSize?: number
  createdAt: string
  completedAt?: string
  error: { code: string; message: string } | null
}
