import type { OptionSchema } from '../client/records.ts'
import { type AdminCommand, CommandError, readFlags, refuseMore } from '../kernel/admin/command.ts'
import { printJson, printLine } from '../kernel/terminal.ts'
import { expectedOf, flagOf } from './convert/flags.ts'
import { EXIT } from './exit.ts'
import { knownFormat } from './formats.ts'
import { lookUp } from './look-up.ts'
import { withService } from './service.ts'

/** `athanor options <format>`: the flags for a target. */
export const options: AdminCommand = {
  summary: 'Lists the flags for a target format.',
  usage: 'Usage: athanor options <format> [--json]',
  run(args) {
    const { values, positionals } = readFlags({
      args,
      options: { json: { type: 'boolean', default: false } },
      allowPositionals: true,
    })
    const [name, ...more] = positionals
    if (name === undefined) throw new CommandError('options: name a format, such as athanor options webp.')
    refuseMore('options', more)
    return withService(async ({ athanor, url, signal }) => {
      const service = lookUp(athanor, url, signal)
      const { extension } = knownFormat(await service.formats(), name, 'options')
      const schema = await service.optionsOf(extension)
      if (!schema) throw new CommandError(`options: nothing becomes ${extension}; athanor ls lists the targets.`)
      if (values.json) printJson(JSON.stringify(schema, null, 2))
      else for (const [option, facts] of Object.entries(schema.properties)) printLine(lineOf(option, facts))
      return EXIT.done
    })
  },
}

function lineOf(option: string, schema: OptionSchema): string {
  const { type, default: usual, unit, description } = schema
  const values = type === 'boolean' ? '' : expectedOf(schema)
  const more = [values, unit, usual === undefined || usual === false ? '' : `default ${usual}`]
    .filter(Boolean)
    .join('; ')
  return `--${flagOf(option)}${more ? ` (${more})` : ''}: ${description}`
}
