/** A command line: the name of a program in /usr/bin, and its arguments. */
export type Command = readonly string[]

/** The task of the program, as JSON in its only argument. Paths are those inside the sandbox. */
export interface Spec {
  input: string
  output: string
  /** A folder on disk, for data that cannot be streamed. */
  scratch: string
  source: Source
  /** An older variant of the format that must be read in another way. */
  older?: { kind: 'rar4' | 'old-cpio' | 'udf'; source: Source }
  /** Reads a tar from standard input and writes the output. Not used for `gzip`. */
  write: Command
  rules: Rules
}

/** Where the entries come from. In a pipeline, each command reads the output of the one before. */
export type Source =
  /** A pipeline that prints a tar in the pax format. `copies`: empty files in it that are copies of others, by name. */
  | { kind: 'tar'; read: readonly Command[]; copies?: ReadonlyMap<string, string> }
  /** A pipeline that prints a cpio in the `newc` format. */
  | { kind: 'cpio'; read: readonly Command[] }
  /**
   * A command that unpacks the source into `folder`, and a pipeline that prints the folder as a tar. `list` prints names as
   * the source has them, each on a line after `Path = `: the command may shorten those that lead outside.
   */
  | { kind: 'folder'; list?: Command; unpack: Command; folder: string; read: readonly Command[] }
  /**
   * A command that decompresses the source from standard input to standard output. The file gets the name. If it is a
   * tar, `tar` prints its entries. Exit codes in `tolerated` mean success with complaints.
   */
  | { kind: 'file'; read: Command; tolerated: readonly number[]; name: string; tar: Command }
  /** The same, for a file that is only recompressed. */
  | { kind: 'gzip'; read: Command; tolerated: readonly number[]; level: number }

/** How the entries are treated. */
export interface Rules {
  /** Whether hard links become separate files, and holes zeros, for targets that can store neither: all but tar. */
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

/** Limits of the unpacked source. */
export interface Limits {
  entries: number
  bytes: number
}
