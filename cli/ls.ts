import { formatNamed } from '../client/format-named.ts'
import { type AdminCommand, readFlags, refuseMore } from '../kernel/admin/command.ts'
import { printJson, printLine } from '../kernel/terminal.ts'
import { EXIT } from './exit.ts'
import { knownFormat } from './formats.ts'
import { lookUp } from './look-up.ts'
import { withService } from './service.ts'

/** `athanor ls [format]`: the formats, or the targets of one. */
export const ls: AdminCommand = {
  summary: 'Lists the formats, or what one of them can become.',
  usage: 'Usage: athanor ls [<format>] [--json]',
  run(args) {
    const { values, positionals } = readFlags({
      args,
      options: { json: { type: 'boolean', default: false } },
      allowPositionals: true,
    })
    const [name, ...more] = positionals
    refuseMore('ls', more)
    return withService(async ({ athanor, url, signal }) => {
      const formats = await lookUp(athanor, url, signal).formats()
      const targets = name === undefined ? undefined : knownFormat(formats, name, 'ls').targets
      const listed = targets ? targets.map((target) => formatNamed(formats, target)) : formats
      const rows = listed.filter((format) => format !== undefined)
      if (values.json) printJson(JSON.stringify(rows, null, 2))
      else for (const row of rows) printLine(targets ? short(row) : `${short(row)}  ${useOf(row)}`)
      return EXIT.done
    })
  },
}

const short = ({ extension, category }: { extension: string; category: string }) =>
  `${extension.padEnd(10)}  ${category.padEnd(8)}`.trimEnd()

function useOf({ readable, writable, aliases }: { readable: boolean; writable: boolean; aliases: readonly string[] }) {
  const use = readable ? (writable ? 'source, target' : 'source') : 'target'
  return aliases.length ? `${use.padEnd(14)}  also ${aliases.join(', ')}` : use
}
