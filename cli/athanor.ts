/** The command line: `athanor photo.heic photo.jpg`, `athanor <command>`. `--help` describes each command. */
import { existsSync } from 'node:fs'
import { dispatch, type Program } from '../kernel/admin/dispatch.ts'
import { printError } from '../kernel/terminal.ts'
import { exitOf, messageOf } from './exit.ts'

const program: Program = {
  name: 'athanor',
  usage: [
    'athanor <source> <result>                      athanor photo.heic photo.jpg',
    '       athanor <source>... --to <format> [options]    athanor *.heic --to jpg --quality 80 -o out/',
    '       athanor <command> [options]',
  ].join('\n'),
  commands: {
    convert: async () => (await import('./convert/convert.ts')).convert,
    watch: async () => (await import('./watch.ts')).watch,
    mcp: async () => (await import('./mcp.ts')).mcp,
    ls: async () => (await import('./ls.ts')).ls,
    options: async () => (await import('./options.ts')).options,
    doctor: async () => (await import('./doctor.ts')).doctor,
    admin: async () => (await import('./local.ts')).admin,
    completion: async () => (await import('./completion/completion.ts')).completion,
  },
}

/** A word that is neither a file nor looks like one is the name of a command, perhaps a misspelt one. */
const isCommand = (word: string) => !/[./\\]|^-/.test(word) && !existsSync(word)

try {
  const args = process.argv.slice(2)
  const [first = ''] = args
  if (first === '--candidates') {
    const { printCandidates } = await import('./completion/candidates.ts')
    await printCandidates(args.slice(1), Object.keys(program.commands))
  } else {
    const asked = first === '' || Object.hasOwn(program.commands, first) || isCommand(first)
    const about = ['--help', '-h', '--version'].includes(first)
    process.exitCode = await dispatch(program, asked || about ? args : ['convert', ...args])
  }
} catch (error) {
  printError(`athanor: ${messageOf(error)}`)
  process.exitCode = exitOf(error)
}
