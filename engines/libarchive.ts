import type { Args, Engine } from '../kernel/contract.ts'

const libarchive = { version: ['--version'], package: 'libarchive-tools' } as const
const asTar = ['-cf', '-', '--format=pax']

/** libarchive's tar: prints the entries of an archive of nearly any kind as a tar. */
export const bsdtar: Engine = {
  ...libarchive,
  name: 'bsdtar',
  binary: ['bsdtar'],
  argv: (job, args) => [asTar, args, `@${job.input}`],
}

/** Undoes every compression around an archive, also the head of an rpm. */
export const bsdcat: Engine = {
  ...libarchive,
  name: 'bsdcat',
  binary: ['bsdcat'],
  argv: (job, args) => [args, job.input],
}

/** The frames of bsdtar's other uses. */
export const bsdtarFrames = {
  /** Prints the entries of what it reads from its standard input. */
  piped: [...asTar, '@-'],
  /** Prints the bytes of the members that a pattern matches. */
  member: (input: string, pattern: string): Args => ['-xOf', input, pattern],
  /** Prints the entries of a folder, without the name of whoever unpacked it. */
  folder: (path: string): Args => [
    ...asTar,
    ...['--uid', '0', '--gid', '0', '--uname', '', '--gname', ''],
    ...['-C', path, '.'],
  ],
  /** Writes an archive of a tar that it reads from its standard input. */
  write: (output: string, args: Args): Args => ['-cf', output, args, '@-'],
}
