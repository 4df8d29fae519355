import { nearest } from '../kernel/nearest.ts'
import { textOf } from './formats.ts'
import type { FromSchema } from './from-schema.ts'
import { readSecretFiles, secretFiles } from './secret-files.ts'

/** The variables of a process, by name. */
export type Environment = Readonly<Record<string, string | undefined>>

/** All environment variables of the configuration. An empty variable counts as unset. */
export const environmentSchema = {
  type: 'object',
  properties: {
    NODE_ENV: {
      type: 'string',
      enum: ['development', 'test', 'production'],
      description: 'production enforces HTTPS and rate limits. test behaves as development. Default: development.',
    },
    ATHANOR_PROFILE: {
      type: 'string',
      enum: ['home'],
      description: 'home: for a home or office network, as with npm start -- --home. Default: none.',
    },
    ATHANOR_ONLY: {
      type: 'string',
      description: 'Serves only these categories, as with npm start -- --only image,audio. Default: all.',
    },
    PORT: { type: 'integer', minimum: 0, maximum: 65535, description: 'TCP port. Default: 3000.' },
    HOST: { type: 'string', description: 'Address to listen on. Default: 127.0.0.1; in production 0.0.0.0.' },
    CONFIG_FILE: { type: 'string', description: 'YAML file with the keys below. It overrides the defaults.' },
    DATA_DIR: { type: 'string', description: 'Folder for the database, uploads and results. Default: ./data.' },
    DATABASE_URL: {
      ...textOf('mysql-url'),
      description: 'MySQL 8 or MariaDB 10.6, or newer. Default: SQLite in DATA_DIR.',
    },
    PUBLIC_URL: {
      ...textOf('http-url'),
      description: 'Base of each outputUrl. Default: taken from the request.',
    },
    JWT_SECRET: {
      type: 'string',
      minLength: 32,
      description: 'Signs sessions and links. Required in production. Default: generated and kept in DATA_DIR.',
    },
    JWT_SECRET_PREVIOUS: {
      type: 'string',
      minLength: 32,
      description: 'The secret before, while it is being replaced: what it has signed stays valid. Default: none.',
    },
    SMTP_URL: {
      ...textOf('smtp-url'),
      description:
        'Mail server for password resets and invitations: smtps://user:password@host. Default: none; links are logged.',
    },
    MAIL_FROM: { ...textOf('email'), description: 'Sender of mails. Required with SMTP_URL.' },
    METRICS_TOKEN: { type: 'string', minLength: 16, description: 'Bearer token that GET /metrics requires.' },
    TRUSTED_PROXIES: { type: 'string', description: 'Trusted proxies: addresses or CIDRs, separated by commas.' },
    TLS_CERT: { type: 'string', description: 'PEM file of the certificate. If set, the service serves HTTPS.' },
    TLS_KEY: { type: 'string', description: "PEM file of the certificate's private key." },
    REDIS_URL: {
      ...textOf('redis-url'),
      description:
        'Redis 6.2 or newer: the queue of several nodes that share a database. See docs/cluster.md. Default: a queue in the process.',
    },
    STORAGE_URL: {
      ...textOf('storage-url'),
      description:
        'Where uploads and results are stored: `file:///shared/folder`, or `s3://bucket/prefix?endpoint=…&region=…`. Default: DATA_DIR.',
    },
    ROLE: {
      type: 'string',
      enum: ['all', 'api', 'worker'],
      description:
        'Role of one of several nodes: all; api, which serves clients and needs no engines; or worker, which converts. Default: all.',
    },
    OTEL_EXPORTER_OTLP_ENDPOINT: {
      ...textOf('http-url'),
      description:
        'Collector of OpenTelemetry that gets spans, such as `http://127.0.0.1:4318`. See docs/monitoring.md. Default: none.',
    },
    ...secretFiles,
  },
  dependentRequired: {
    JWT_SECRET_PREVIOUS: ['JWT_SECRET'],
    SMTP_URL: ['MAIL_FROM'],
    // Nodes share their records, their files and their signatures.
    REDIS_URL: ['DATABASE_URL', 'STORAGE_URL', 'JWT_SECRET'],
    TLS_CERT: ['TLS_KEY'],
    TLS_KEY: ['TLS_CERT'],
  },
} as const

/**
 * Returns the known variables that are set, those of numbers as numbers, and secrets also if they are in files. The
 * types hold only after `check` has accepted the values.
 *
 * @throws StartError for a file that cannot be used.
 */
export function readEnvironment(env: Environment): FromSchema<typeof environmentSchema> {
  const given = readSecretFiles(env)
  const known = Object.entries(environmentSchema.properties).flatMap(([name, { type }]) => {
    const text = given[name]
    if (!text) return []
    return [[name, type === 'integer' && /^\d+$/.test(text) ? Number(text) : text]]
  })
  return Object.fromEntries(known)
}

/** A variable that is set but not read, and the variable that was probably meant. */
export interface Misspelt {
  given: string
  meant: string
}

/** Variables that Kubernetes sets in every container if a service called athanor exists. */
const INJECTED = /^ATHANOR_(SERVICE_(HOST|PORT)|PORT)(_|$)/
/** No other program uses variables with this prefix. */
const PREFIX = 'ATHANOR_'

/**
 * Finds variables that look like misspelt known ones, if the known one is not set. `certain`: no other program can own
 * them. `possible`: they may belong to another program, because programs share the environment.
 */
export function findMisspelt(env: Environment): { certain: Misspelt[]; possible: Misspelt[] } {
  const known = Object.keys(environmentSchema.properties)
  const [certain, possible]: [Misspelt[], Misspelt[]] = [[], []]
  for (const given of Object.keys(env)) {
    if (!env[given] || known.includes(given) || INJECTED.test(given)) continue
    const bare = given.startsWith(PREFIX) ? given.slice(PREFIX.length) : undefined
    const own = bare !== undefined && (known.find((name) => name === bare) ?? nearest(given, known, edits))
    const meant = own || nearest(given, known, edits)
    if (meant && !env[meant]) (own ? certain : possible).push({ given, meant })
  }
  return { certain, possible }
}

/** Allows one edit per five letters: PROXY for PROXIES. Short names must match, because other programs use them too. */
const edits = (length: number) => Math.floor(length / 5)
