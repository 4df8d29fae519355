import { readFileSync, statSync } from 'node:fs'
import { StartError } from '../kernel/errors.ts'

/** Variables that hold secrets. Each can be given as a file: JWT_SECRET_FILE names a file that contains JWT_SECRET. */
const SECRETS = ['JWT_SECRET', 'JWT_SECRET_PREVIOUS', 'DATABASE_URL', 'REDIS_URL', 'SMTP_URL', 'METRICS_TOKEN'] as const

/** Maximum bytes of such a file: it was meant to be another one if it has more. */
const MAX_BYTES = 16_384

type FileVariables = { [Name in `${(typeof SECRETS)[number]}_FILE`]: { type: 'string'; description: string } }

/** The schemas of the variables that name files. */
export const secretFiles = Object.fromEntries(
  SECRETS.map((name) => [`${name}_FILE`, { type: 'string', description: `File that contains \`${name}\`.` }]),
) as FileVariables

/**
 * Returns the variables with the secrets from files in place of the files' names. Line breaks at the end of a file do
 * not count.
 *
 * @throws StartError for a file that cannot be read or is no text, and if a secret is given in both ways.
 */
export function readSecretFiles(env: Readonly<Record<string, string | undefined>>): Record<string, string | undefined> {
  const variables = { ...env }
  for (const name of SECRETS) {
    const path = env[`${name}_FILE`]
    if (!path) continue
    if (env[name]) throw new StartError(`environment: ${name} and ${name}_FILE are both set. Unset one of them.`)
    variables[name] = readSecret(`environment: ${name}_FILE: ${path}`, path)
    delete variables[`${name}_FILE`]
  }
  return variables
}

function readSecret(source: string, path: string): string {
  let text: string
  try {
    const found = statSync(path)
    // Reading a pipe could wait for ever.
    if (!found.isFile() || found.size > MAX_BYTES) throw new StartError(`${source} must be a file of one secret.`)
    text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path)).replace(/[\r\n]+$/, '')
  } catch (cause) {
    if (cause instanceof StartError) throw cause
    const { code } = cause as NodeJS.ErrnoException
    const fault = code === 'ERR_ENCODING_INVALID_ENCODED_DATA' ? 'is not text in UTF-8' : `cannot be read (${code})`
    throw new StartError(`${source} ${fault}.`, { cause })
  }
  if (!text) throw new StartError(`${source} is empty.`)
  return text
}
