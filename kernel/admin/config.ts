import { resolve } from 'node:path'
import { loadConfig } from '../../config/load.ts'
import { loadCatalogue } from '../catalogue/load.ts'
import { requireWayIn } from '../start/https.ts'
import { checkTls } from '../start/tls.ts'
import { type AdminCommand, CommandError, readWords } from './command.ts'
import { openTrial } from './trial.ts'

/** `npm run admin -- config check FILE`: whether a start with this file would succeed. */
export const config: AdminCommand = {
  summary: 'Checks a configuration file as a start would.',
  usage: [
    'Usage: npm run admin -- config check FILE [--json]',
    '',
    'Checks FILE with the variables of this environment: keys and values, plugins and their settings, the names of tools',
    'and engines, TLS. Ends with 0, or with 78 and a sentence that says where and what. Changes nothing.',
    '--json prints the values that would be in force, defaults included, without secrets.',
  ].join('\n'),
  async run(args) {
    const { rest, json } = readWords('config', args, ['check'])
    const [file, tooMany] = rest
    if (!file || tooMany) throw new CommandError('config check: give one file, such as athanor.yaml.')
    const checked = loadConfig({ env: { ...process.env, CONFIG_FILE: resolve(file) }, argv: [] })
    requireWayIn(checked)
    checkTls(checked)
    await using trial = await openTrial(checked)
    await loadCatalogue({ ...checked, dataDir: trial.cache }, trial.ask)
    console.log(json ? JSON.stringify(checked, hideSecrets, 2) : `${file} is valid.`)
    return 0
  },
}

/** Values that must not be printed. */
const SECRET = /^(jwtSecret|clientSecret|token|databaseUrl)$/

function hideSecrets(this: unknown, key: string, value: unknown): unknown {
  if (value === undefined || value === null) return value
  if (SECRET.test(key)) return '(set)'
  return key === 'smtp' ? { ...(value as object), url: '(set)' } : value
}
