import { fileURLToPath } from 'node:url'
import type { Engine, Failure } from '../kernel/contract.ts'
import { refusalIn } from './node/refusal.ts'

const folder = fileURLToPath(new URL('programs/mupdf', import.meta.url))

const base = { binary: ['mutool'], version: ['-v'], package: 'mupdf-tools' } as const

const reason = (lines: readonly string[]): Failure | undefined =>
  lines.some((line) => /password/i.test(line))
    ? { code: 'ENCRYPTED_INPUT', message: 'The file asks for a password' }
    : undefined

/** Converts between the page formats that MuPDF supports. */
export const mutool: Engine = {
  ...base,
  name: 'mutool',
  argv: (job, args) => ['convert', args, '-o', job.output, job.input],
  reason,
}

/** Rewrites a PDF without its information dictionary, XMP and earlier revisions. */
export const mutoolStrip: Engine = {
  ...base,
  name: 'mutool-strip',
  argv: (job) => ['run', `${folder}/strip.js`, job.input, job.output],
  reason: (lines) => refusalIn(lines) ?? reason(lines),
  sandbox: { binds: [folder] },
}

/** Draws the comments of a PDF that have no appearance. */
export const mutoolAppear: Engine = {
  ...base,
  name: 'mutool-appear',
  argv: (job) => ['run', `${folder}/appear.js`, job.input, job.output],
  reason: (lines) => refusalIn(lines) ?? reason(lines),
  sandbox: { binds: [folder] },
}

/** Describes what is on the pages of a PDF, as lines of JSON, and writes the pictures as files beside them. */
export const mutoolRead: Engine = {
  ...base,
  name: 'mutool-read',
  argv: (job) => ['run', `${folder}/read.js`, job.input, job.output],
  reason: (lines) => refusalIn(lines) ?? reason(lines),
  sandbox: { binds: [folder] },
}
