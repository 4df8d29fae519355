import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { formatNamed } from '../format-named.ts'
import type { Format } from '../records.ts'
import { answer, ToolError } from './answers.ts'
import type { Service } from './service.ts'
import type { ToolArguments } from './tools.ts'

/** What the tool `formats` does. @throws ToolError if a format or a pair is not there. */
export async function formats(service: Service, { from, to }: ToolArguments): Promise<CallToolResult> {
  const all = await service.formats()
  if (from === undefined) return answer({ ...overview(all, to), next: 'call convert, or formats with from' })
  const source = named(all, from)
  if (!source?.targets.length) throw new ToolError('UNSUPPORTED_FORMAT', `from: ${from} cannot be converted here`)
  const { extension, targets } = source
  if (to === undefined) return answer({ from: extension, targets, next: 'call convert, or formats with from and to' })
  const target = named(all, to)?.extension ?? to
  const tool = targets.includes(target) ? await service.tool(extension, target) : undefined
  if (!tool)
    throw new ToolError(
      'UNSUPPORTED_FORMAT',
      `${extension} cannot become ${to}; it can become ${targets.slice(0, 12).join(', ')}`,
    )
  return answer({ from: extension, to: target, options: optionsOf(tool.options), next: 'call convert' })
}

/** Finds the format that an agent names, also by the ending of a file: `.jpg`. */
const named = (all: readonly Format[], name: string) => formatNamed(all, name.replace(/^\./, ''))

/** The formats by category: those that can be written, and those that can only be read; or what can become `to`. */
function overview(all: readonly Format[], to: string | undefined): object {
  const names = (some: readonly Format[]) =>
    Object.fromEntries(
      [...Map.groupBy(some, ({ category }) => category)].map(([category, each]) => [
        category,
        each.map(({ extension }) => extension).join(' '),
      ]),
    )
  if (to === undefined) {
    return {
      targets: names(all.filter(({ writable }) => writable)),
      onlySources: names(all.filter(({ writable }) => !writable)),
    }
  }
  const target = named(all, to)?.extension
  const sources = all.filter(({ targets }) => target !== undefined && targets.includes(target))
  if (sources.length === 0) throw new ToolError('UNSUPPORTED_FORMAT', `to: ${to} cannot be made here`)
  return { to: target, sources: names(sources) }
}

/** The options that have an effect, in the words of their schema. */
const optionsOf = ({ properties }: { properties?: object }) =>
  Object.fromEntries(
    Object.entries((properties ?? {}) as Record<string, Record<string, unknown>>)
      .filter(([, schema]) => schema['x-effect'] !== false)
      .map(([name, { title: _, 'x-effect': __, ...schema }]) => [name, schema]),
  )
