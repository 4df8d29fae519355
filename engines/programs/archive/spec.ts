import type { Limits } from './limits.ts'

/** A command line: the name of a program in /usr/bin, and its arguments. */
export type Command = readonly string[]

/** The task of the program, as JSON in its only argument. Paths are those inside the sandbox. */
export interface Spec {
  input: string
  output: string
  /** A folder on disk, for data that cannot be streamed. */
  scratch: string
  source: Source
  /**
   * How to read what `source` does not read whole: RAR before version 5, streams with hard links, names that are not in
   * UTF-8 where the format asks for it, discs in UDF.
   */
  exception?: { when: 'rar4' | 'links' | 'names' | 'udf'; source: Source }
  /** Reads a tar from standard input and writes the output. Not used for `gzip`. */
  write: Command
  rules: Rules
}

/** Where the entries come from. In a pipeline, each command reads the output of the one before. */
export type Source =
  /**
   * A pipeline that prints a tar in the format of GNU tar: there, names are bytes of any character set. `proof` fails
   * if content cannot be read, where the pipeline would print zeros or wrong bytes without a word.
   */
  | { kind: 'tar'; read: readonly Command[]; proof?: Command }
  /**
   * A command that unpacks the source into `folder`, and a pipeline that prints the folder as a tar. `list` prints
   * names as the source has them, each on a line after `Path = `: the command may shorten those that lead outside.
   */
  | { kind: 'folder'; list?: Command; unpack: Command; folder: string; read: readonly Command[] }
  /**
   * A command that decompresses the source from standard input to standard output. The file gets the name. If it is a
   * tar, `tar` prints its entries.
   */
  | { kind: 'file'; read: Command; name: string; tar: Command }
  /** The same, for a file that is only recompressed. */
  | { kind: 'gzip'; read: Command; level: number }

/** How the entries are treated. */
export interface Rules {
  /** Whether hard links become separate files, for targets that cannot store them: all but tar. */
  wholeFiles: boolean
  /** Whether symbolic links may point anywhere, as in packages of an operating system. */
  anyLinks: boolean
  /** Whether a backslash separates folders in the source's names. */
  backslashes: boolean
  /** Whether to add a Java manifest if there is none. */
  manifest: boolean
  /** Whether to return the source itself if the output is not smaller, or not equivalent. */
  smaller: boolean
  limits: Limits
}
