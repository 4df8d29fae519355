import { format } from 'node:util'

let runs = 0
/** The program that runs: all of them share the console and the arguments. */
let before: Promise<unknown> = Promise.resolve()

/** Runs one of our own Node programs in this process. Resolves to its exit code, and the lines that it printed. */
export function runHere(file: string, args: readonly string[]): Promise<{ code: number; lines: string[] }> {
  const ran = before.then(() => run(file, args))
  before = ran.catch(() => {})
  return ran
}

async function run(file: string, args: readonly string[]) {
  const { argv, exit } = process
  const { log, error } = console
  const lines: string[] = []
  let code: number | undefined
  const ended = new Error('the program ended')
  const print = (...parts: unknown[]) => {
    if (code === undefined) lines.push(...format(...parts).split('\n'))
  }
  process.argv = [process.execPath, file, ...args]
  process.exitCode = undefined
  process.exit = (given) => {
    code ??= Number(given ?? process.exitCode ?? 0)
    throw ended
  }
  Object.assign(console, { log: print, error: print })
  try {
    // Each address is a module of its own, which runs once.
    await import(`${file}?${++runs}`)
    code ??= Number(process.exitCode ?? 0)
  } catch (thrown) {
    print(thrown)
    code ??= 1
  } finally {
    Object.assign(console, { log, error })
    Object.assign(process, { argv, exit })
    process.exitCode = undefined
  }
  return { code, lines }
}
