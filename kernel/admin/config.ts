import { resolve } from 'node:path'
import { loadConfig } from '../../config/load.ts'
import { requireWayIn } from '../boot/https.ts'
import { readCertificate } from '../boot/tls.ts'
import { loadCatalogue } from '../catalogue/load.ts'
import { printJson, printLine } from '../terminal.ts'
import { type AdminCommand, CommandError, readWords } from './command.ts'
import { openTrial } from './trial.ts'

/** `npm run admin -- config check FILE`: checks a configuration file without starting the service. */
export const config: AdminCommand = {
  summary: 'Checks a configuration file without starting the service.',
  usage: [
    'Usage: npm run admin -- config check FILE [--json]',
    '',
    'Checks FILE together with the environment variables: keys and values, plugins and their settings, names of tools',
    'and engines, TLS. Exits with 0, or with 78 and a message that names the fault. Changes nothing.',
    '--json prints all resulting values, including defaults, without secrets.',
  ].join('\n'),
  async run(args) {
    const { rest, json } = readWords('config', args, ['check'])
    const [file, tooMany] = rest
    if (!file || tooMany) throw new CommandError('config check: expected one file, such as athanor.yaml.')
    const checked = loadConfig({ env: { ...process.env, CONFIG_FILE: resolve(file) }, argv: [] })
    requireWayIn(checked)
    if (checked.tls) readCertificate(checked.tls)
    await using trial = await openTrial(checked)
    await loadCatalogue({ ...checked, dataDir: trial.cache }, trial.ask)
    if (json) printJson(JSON.stringify(checked, hideSecrets, 2))
    else printLine(`${file} is valid.`)
    return 0
  },
}

/** Values that must not be printed. */
const SECRET = /^(jwtSecret|previousSecret|clientSecret|token|databaseUrl|redisUrl)$/

function hideSecrets(this: unknown, key: string, value: unknown): unknown {
  if (value === undefined || value === null) return value
  if (SECRET.test(key)) return '(set)'
  return key === 'smtp' ? { ...(value as object), url: '(set)' } : value
}
