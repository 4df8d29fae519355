import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type AdminCommand, oneOf, readFlags, refuseMore } from '../../kernel/admin/command.ts'

/** Shells, and where their users put what this prints. */
const SHELLS = ['bash', 'zsh', 'fish'] as const

/** `athanor completion <shell>`: what makes the Tab key work. */
export const completion: AdminCommand = {
  summary: 'Prints the completion for bash, zsh or fish.',
  usage: [
    'Usage: athanor completion bash|zsh|fish',
    '',
    'bash: add this line to ~/.bashrc       eval "$(athanor completion bash)"',
    'zsh:  add this line to ~/.zshrc        eval "$(athanor completion zsh)"     after compinit',
    'fish: athanor completion fish >~/.config/fish/completions/athanor.fish',
  ].join('\n'),
  async run(args) {
    const { positionals } = readFlags({ args, options: {}, allowPositionals: true })
    const shell = oneOf('completion', positionals[0], SHELLS)
    refuseMore('completion', positionals.slice(1))
    process.stdout.write(await readFile(join(import.meta.dirname, `athanor.${shell}`), 'utf8'))
    return 0
  },
}
