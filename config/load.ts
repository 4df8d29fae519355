import { accessSync, constants, readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { parseDocument } from 'yaml'
import { StartError } from '../kernel/errors.ts'
import { nearest } from '../kernel/nearest.ts'
import { check } from './check.ts'
import { commit } from './commit.ts'
import type { Config, FileConfig } from './config.ts'
import { type Environment, environmentSchema, findMisspelt, readEnvironment } from './environment.ts'
import { allInterfaces, homeProfile, layOver } from './home.ts'
import { CLUSTER_DELAY, fileSchema } from './schema.ts'
import { readStorageUrl } from './storage-url.ts'
import { version } from './version.ts'

const root = join(import.meta.dirname, '..')

/**
 * Loads the configuration. Later sources override earlier ones: defaults, the home profile, the file in `CONFIG_FILE`,
 * the environment, the arguments (`--only image,audio`, `--home`, `--embedded`). `--no-setup` is for the start script
 * and ignored here.
 *
 * `--embedded` is for a program that starts the service for itself: the home profile, on a socket in the data folder.
 *
 * @throws StartError that names the file or variable, the key, the given value and the allowed values.
 */
export function loadConfig({ env, argv }: { env: Environment; argv: readonly string[] }): Config {
  const variables = readEnvironment(env)
  check(environmentSchema, variables, 'environment')
  const [misspelt] = findMisspelt(env).certain
  if (misspelt) throw new StartError(`environment: ${misspelt.given}: unknown; did you mean ${misspelt.meant}?`)
  const mode = variables.NODE_ENV === 'production' ? 'production' : 'development'
  const given = readFile(variables.CONFIG_FILE)
  const { only, home = false, embedded = false } = readArguments(argv)
  const profile = home || embedded || (variables.ATHANOR_PROFILE ?? given.profile) === 'home' ? 'home' : undefined
  // The home profile generates the secret at the first start and keeps it.
  if (mode === 'production' && !profile && !variables.JWT_SECRET) {
    throw new StartError('environment: JWT_SECRET: required in production; 32 random characters or more.')
  }

  const file = profile ? layOver(homeProfile, given) : given
  if (variables.TRUSTED_PROXIES) file.trustedProxies = variables.TRUSTED_PROXIES.split(',').map((cidr) => cidr.trim())
  check(fileSchema, file, variables.CONFIG_FILE ?? 'environment')
  const { host, publicUrl, ...settings } = file as unknown as FileConfig

  const publicBase = variables.PUBLIC_URL ?? publicUrl
  if (variables.SMTP_URL && !publicBase && !settings.accounts.resetUrl) {
    // A client can forge the Host header, so links in mails must not depend on it.
    throw new StartError(
      'environment: SMTP_URL: needs PUBLIC_URL, or accounts.resetUrl in the file, for links in mails.',
    )
  }

  checkTrustedHeader(settings)

  if (variables.ROLE && variables.ROLE !== 'all' && !variables.REDIS_URL) {
    throw new StartError(
      `environment: ROLE: ${variables.ROLE} is the role of one of several nodes, which need REDIS_URL. See docs/cluster.md.`,
    )
  }

  const dataDir = resolve(variables.DATA_DIR ?? join(root, 'data'))
  return {
    ...settings,
    version,
    commit,
    mode,
    ...(profile && { profile }),
    port: variables.PORT ?? settings.port,
    host: variables.HOST ?? host ?? (profile ? allInterfaces() : mode === 'production' ? '0.0.0.0' : '127.0.0.1'),
    dataDir,
    socket: embedded ? join(dataDir, 'socket') : undefined,
    // Only the start script sets this variable.
    dataDirOnHost: env.DATA_DIR_ON_HOST || dataDir,
    baseDir: variables.CONFIG_FILE ? dirname(resolve(variables.CONFIG_FILE)) : root,
    databaseUrl: variables.DATABASE_URL,
    redisUrl: variables.REDIS_URL,
    tracing: variables.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined,
    role: variables.ROLE ?? 'all',
    shutdown: {
      // Nobody waits for an embedded service that stops.
      grace: embedded ? 0 : settings.shutdown.grace,
      delay: settings.shutdown.delay ?? (variables.REDIS_URL && variables.ROLE !== 'worker' ? CLUSTER_DELAY : 0),
    },
    // It serves few conversions, for which spare processes would compete with them.
    warm: embedded ? { ...settings.warm, spares: 0 } : settings.warm,
    storagePlace: variables.STORAGE_URL ? readStorageUrl(variables.STORAGE_URL) : undefined,
    publicUrl: publicBase?.replace(/\/+$/, ''),
    jwtSecret: variables.JWT_SECRET,
    previousSecret: variables.JWT_SECRET_PREVIOUS,
    smtp: variables.SMTP_URL ? { url: variables.SMTP_URL, from: needed(variables, 'MAIL_FROM') } : undefined,
    tls: variables.TLS_CERT
      ? { cert: readable('TLS_CERT', variables.TLS_CERT), key: readable('TLS_KEY', needed(variables, 'TLS_KEY')) }
      : undefined,
    metrics: { ...settings.metrics, ...(variables.METRICS_TOKEN && { token: variables.METRICS_TOKEN }) },
    plugins:
      only !== undefined
        ? restrict(settings.plugins, only, '--only')
        : restrict(settings.plugins, variables.ATHANOR_ONLY, 'environment: ATHANOR_ONLY'),
  }
}

/** @throws StartError if more than a proxy could sign people in by its header. */
function checkTrustedHeader({ accounts, trustedProxies, cors }: Pick<Config, 'accounts' | 'trustedProxies' | 'cors'>) {
  if (!accounts.trustedHeader) return
  if (!trustedProxies.length || trustedProxies.some((range) => range.endsWith('/0'))) {
    throw new StartError(
      'accounts.trustedHeader: needs the addresses of the proxy, and of nobody else, in trustedProxies or TRUSTED_PROXIES.',
    )
  }
  if (cors.origins.includes('*')) {
    // The proxy knows people by a cookie, which browsers send with the requests of any page.
    throw new StartError(
      'accounts.trustedHeader: cors.origins must name the other sites; * lets any site act for people.',
    )
  }
}

/** Returns a variable that the schema requires beside another one. @throws StartError if it is missing. */
function needed(variables: ReturnType<typeof readEnvironment>, name: 'MAIL_FROM' | 'TLS_KEY'): string {
  const value = variables[name]
  if (value === undefined) throw new StartError(`environment: ${name} is missing.`)
  return value
}

/** Returns the absolute path of a readable file. @throws StartError if the file cannot be read or is a folder. */
function readable(variable: string, path: string): string {
  let isFolder: boolean
  try {
    accessSync(path, constants.R_OK)
    isFolder = statSync(path).isDirectory()
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new StartError(`environment: ${variable}: ${path} cannot be read (${code}).`, { cause })
  }
  if (isFolder) throw new StartError(`environment: ${variable}: ${path} is a folder; expected a file in it.`)
  return resolve(path)
}

/** Reads a YAML file as a plain tree. Expands aliases, so that each place is checked and changed separately. */
function readFile(path: string | undefined): Record<string, unknown> {
  if (!path) return {}
  const document = parseDocument(readFileSync(readable('CONFIG_FILE', path), 'utf8'), {
    uniqueKeys: true,
    logLevel: 'error',
  })
  const [fault] = [...document.errors, ...document.warnings]
  if (fault) throw new StartError(`${path}: ${withoutSource(fault.message)}`)
  try {
    return JSON.parse(JSON.stringify(document.toJS({ maxAliasCount: 100 }) ?? {}, infinityAsText))
  } catch (cause) {
    throw new StartError(`${path}: ${withoutSource((cause as Error).message)}.`, { cause })
  }
}

/**
 * Removes file content from a message of the YAML parser; keeps the fault and its position. A line may contain a
 * secret, and a reload writes the message to the log.
 */
const withoutSource = (message: string) =>
  message
    .replace(/\n.*/s, '')
    .replace(/(?:: \S| (?=\\)).*?(?= at line \d+, column \d+:?$|$)/, '')
    .replace(/:$/, '.')

/** Keeps .inf as text. JSON would turn it into null, which removes a limit. */
const infinityAsText = (_key: string, value: unknown) =>
  typeof value === 'number' && !Number.isFinite(value) ? String(value) : value

/**
 * Returns only the plugins of a list.
 *
 * @param list Names, separated by commas; undefined: all.
 * @param source The argument or variable that has the list.
 * @throws StartError for an unknown name.
 */
function restrict(plugins: Config['plugins'], list: string | undefined, source: string): Config['plugins'] {
  if (list === undefined) return plugins
  const names = Object.keys(plugins)
  const only = list.split(',').map((name) => name.trim())
  for (const name of only) {
    if (names.includes(name)) continue
    const guess = nearest(name, names)
    const hint = guess ? ` Did you mean ${guess}?` : ''
    throw new StartError(`${source}: there is no plugin "${name}"; configured are ${names.join(', ')}.${hint}`)
  }
  return Object.fromEntries(Object.entries(plugins).filter(([name]) => only.includes(name)))
}

/** Reads the arguments of the service. @throws StartError for an unknown one. */
export function readArguments(argv: readonly string[]): { only?: string; home?: boolean; embedded?: boolean } {
  try {
    const flag = { type: 'boolean' } as const
    const options = { only: { type: 'string' }, home: flag, embedded: flag, 'no-setup': flag } as const
    return parseArgs({ args: [...argv], options }).values
  } catch {
    throw new StartError(`arguments: ${argv.join(' ')}: allowed are --home, --no-setup and --only image,audio.`)
  }
}
