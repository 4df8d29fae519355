import type { Engine } from '../kernel/contract.ts'

/** Rearranges JPEG without decoding it to pixels (jpegtran(1) of libjpeg-turbo). A damaged file is refused. */
export const jpegtran: Engine = {
  name: 'jpegtran',
  binary: ['jpegtran'],
  version: ['-version'],
  package: 'libjpeg-turbo-progs',
  argv: (job, args) => ['-maxmemory', '1000M', '-strict', args, '-outfile', job.output, job.input],
}
