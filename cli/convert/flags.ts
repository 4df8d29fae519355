import type { OptionSchema, OptionsSchema, Options as OptionValues } from '../../client/records.ts'
import { CommandError } from '../../kernel/admin/command.ts'

/** Options of a target as flags: `maxWidth` is `--max-width`. */
export const flagOf = (option: string): string => option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** Returns how `parseArgs` reads the options of a target. */
export const parserOf = ({ properties }: OptionsSchema): Record<string, { type: 'string' | 'boolean' }> =>
  Object.fromEntries(
    Object.entries(properties).map(([name, { type }]) => [
      flagOf(name),
      { type: type === 'boolean' ? 'boolean' : 'string' },
    ]),
  )

/** Reads the values of flags. @throws CommandError that names the flag and what it takes. */
export function readOptions({ properties }: OptionsSchema, values: Readonly<Record<string, unknown>>): OptionValues {
  const given = Object.entries(properties).flatMap(([name, schema]) => {
    const value = values[flagOf(name)]
    return value === undefined ? [] : [[name, readValue(flagOf(name), schema, value)]]
  })
  return Object.fromEntries(given)
}

function readValue(flag: string, schema: OptionSchema, value: unknown): string | number | boolean {
  if (typeof value === 'boolean') return value
  const text = String(value)
  const { type, enum: choices, minimum = -Infinity, maximum = Infinity } = schema
  const isNumber = type === 'integer' || type === 'number'
  const read = isNumber ? Number(text || Number.NaN) : text
  const fits =
    (!choices || choices.includes(read)) &&
    (!isNumber || (Number(read) >= minimum && Number(read) <= maximum && (type === 'number' || Number.isInteger(read))))
  if (fits) return read
  throw new CommandError(`--${flag}: "${text}" is not allowed; expected ${expectedOf(schema)}.`)
}

/** Says which values an option takes: `1 to 100`, `inside, cover or fill`. */
export function expectedOf({ type, enum: choices, minimum, maximum }: OptionSchema): string {
  if (choices) return choices.join(', ').replace(/, ([^,]*)$/, ' or $1')
  if (type === 'boolean') return 'no value'
  if (type === 'string') return 'text'
  const bounds = [minimum, maximum].map((bound) => bound?.toLocaleString('en', { useGrouping: false }))
  const kind = type === 'integer' ? 'a whole number' : 'a number'
  if (bounds[0] !== undefined && bounds[1] !== undefined) return `${kind} from ${bounds[0]} to ${bounds[1]}`
  return bounds[0] === undefined ? kind : `${kind} of ${bounds[0]} or more`
}
