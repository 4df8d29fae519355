import { version } from '../config/version.ts'
import { type AdminCommand, CommandError, readFlags } from '../kernel/admin/command.ts'
import { EXIT } from './exit.ts'
import { withService } from './service.ts'

/** `athanor mcp`. */
export const mcp: AdminCommand = {
  summary: 'Serves tools to an agent on standard input and output (Model Context Protocol).',
  usage: [
    'Usage: athanor mcp [folder...]',
    '',
    'The agent may convert files in these folders, and write results there. Without one: the working folder.',
    '',
    'ATHANOR_URL and ATHANOR_API_KEY name a service and its key. Without a URL, the first call starts a service.',
  ].join('\n'),
  run(args) {
    const { positionals } = readFlags({ args, allowPositionals: true })
    const folders = positionals.length > 0 ? positionals : [process.cwd()]
    // Some programs start their servers there. The agent would get the whole disk.
    if (folders.length === 1 && folders[0] === '/' && positionals.length === 0) {
      throw new CommandError('Name the folders that the agent may use: athanor mcp ~/Documents')
    }
    return withService(
      async ({ athanor, signal }) => {
        const { serveMcp } = await import('../client/mcp/serve.ts')
        await serveMcp({ athanor, folders, version, signal })
        return EXIT.done
      },
      { patience: 20_000 },
    )
  },
}
