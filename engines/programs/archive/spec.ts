/** A command line: the program's name, which is looked for in /usr/bin, and its arguments. */
export type Command = readonly string[]

/** What the program is asked to do, as JSON in its one argument. Paths are the sandbox's own. */
export interface Spec {
  input: string
  output: string
  /** A folder on disk, for what cannot be streamed. */
  scratch: string
  source: Source
  /** A kind of the input that is read otherwise. */
  older?: { kind: 'rar4' | 'old-cpio' | 'udf'; source: Source }
  /** Reads a tar from its standard input and writes the output. Not run for `gzip`. */
  write: Command
  rules: Rules
}

/** Where the entries come from. Each of a pipeline's commands reads what the one before prints. */
export type Source =
  /** Commands of which the last prints a tar in the pax format. */
  | { kind: 'tar'; read: readonly Command[] }
  /** Commands of which the last prints a cpio in the `newc` format. */
  | { kind: 'cpio'; read: readonly Command[] }
  /** A command that unpacks the source into `folder`, and one that prints a folder as a tar. */
  | { kind: 'folder'; unpack: Command; folder: string; read: readonly Command[] }
  /**
   * A command that reads the source from its standard input and prints the one file in it, which gets the name. When
   * that is a tar, `tar` reads it and prints its entries. Exit codes that are `tolerated` mean success with complaints.
   */
  | { kind: 'file'; read: Command; tolerated: readonly number[]; name: string; tar: Command }
  /** The same, for a file that is only compressed again. */
  | { kind: 'gzip'; read: Command; tolerated: readonly number[]; level: number }

/** What happens to the entries. */
export interface Rules {
  /** Whether hard links become files of their own, for targets that lose them. */
  filesForLinks: boolean
  /** Whether symbolic links may lead anywhere, as in packages of an operating system. */
  anyLinks: boolean
  /** Whether a backslash parts folders in the source's names. */
  backslashes: boolean
  /** Whether a result without a manifest gets one. */
  manifest: boolean
  /** Whether the source itself is the result when the output is not smaller, or had to differ. */
  smaller: boolean
  limits: Limits
}

/** What a source may unpack to. */
export interface Limits {
  entries: number
  bytes: number
}
