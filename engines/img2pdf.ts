import type { Engine } from '../kernel/contract.ts'

/** Puts images on pages of their size without re-encoding them. */
export const img2pdf: Engine = {
  name: 'img2pdf',
  binary: ['img2pdf'],
  version: ['--version'],
  package: 'img2pdf',
  argv: (job, args) => ['--engine=internal', '--rotation=ifvalid', args, '--output', job.output, job.input],
}
