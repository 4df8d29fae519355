import type { Engine } from '../kernel/contract.ts'

/** Rewrites JPEG without decoding it to pixels (jpegtran(1) of libjpeg-turbo). Refuses damaged files. */
export const jpegtran: Engine = {
  name: 'jpegtran',
  binary: ['jpegtran'],
  version: ['-version'],
  package: 'libjpeg-turbo-progs',
  argv: (job, args) => ['-maxmemory', '1000M', '-strict', args, '-outfile', job.output, job.input],
}
