import type { Args, Engine } from '../kernel/contract.ts'

const libarchive = { version: ['--version'], package: 'libarchive-tools' } as const
/** In this format, names are bytes of any character set, and holes of files are zeros. */
const asTar = ['-cf', '-', '--format=gnutar']

/** libarchive's tar: prints the entries of almost any archive as a tar. */
export const bsdtar: Engine = {
  ...libarchive,
  name: 'bsdtar',
  binary: ['bsdtar'],
  argv: (job, args) => [asTar, args, `@${job.input}`],
}

/** Command lines for other uses of bsdtar. */
export const bsdtarFrames = {
  /** Prints the entries of an archive on standard input. */
  piped: [...asTar, '@-'],
  /**
   * Prints the content of all members, or of those that match a pattern. Fails at damage and unknown methods, where
   * `bsdtar` above is silent.
   */
  contents: (input: string, ...pattern: string[]): Args => ['-xOf', input, ...pattern],
  /** Unpacks into a folder. */
  unpack: (input: string, folder: string): Args => ['-xpf', input, '-C', folder],
  /** Prints the entries of a folder, without the user who unpacked it. */
  folder: (path: string): Args => [...asTar, '--uid', '0', '--gid', '0', '--uname', '', '--gname', '', '-C', path, '.'],
  /** Writes an archive from a tar on standard input. */
  write: (output: string, args: Args): Args => ['-cf', output, args, '@-'],
}
