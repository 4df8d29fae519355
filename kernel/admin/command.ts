/** One command of `npm run admin`. */
export interface Command {
  /** One line for the list of commands. */
  summary: string
  /** What `--help` says beyond it. */
  usage: string
  /** Resolves to the exit code. @throws StartError for what the operator has to put right. */
  run: (args: string[]) => Promise<number>
}
