import { fileURLToPath } from 'node:url'
import type { Engine } from '../kernel/contract.ts'

const folder = fileURLToPath(new URL('programs/pandoc', import.meta.url))

/** Turns one markup or document into another. `facts-…` metadata is explained in `programs/pandoc/facts.lua`. */
export const pandoc: Engine = {
  name: 'pandoc',
  binary: ['pandoc'],
  version: ['--version'],
  package: 'pandoc',
  argv: (job, args) => [
    ...['--standalone', '--quiet', '--wrap=none'],
    ...['facts', 'pictures', 'outline'].flatMap((filter) => ['--lua-filter', `${folder}/${filter}.lua`]),
    ...[args, '-o', job.output, '--', job.input],
  ],
  sandbox: { binds: [folder] },
}
