/** Small programs, such as the operator's commands, run in this process: a process for each costs a second. */
import { resolve } from 'node:path'
import { format } from 'node:util'

const root = resolve(import.meta.dirname, '../..')

export interface Outcome {
  code: number
  stdout: string
  stderr: string
}

let runs = 0
/** The program that runs, because all of them share the console and the environment. */
let before: Promise<unknown> = Promise.resolve()

/** Runs an operator's command with only these variables in its environment. */
export const admin = (env: NodeJS.ProcessEnv, ...args: string[]) => runInside('kernel/admin.ts', args, env)

/**
 * Runs a program of the checkout, which ends by itself. One runs at a time.
 *
 * @param env Its only variables. Default: those of this process.
 */
export function runInside(program: string, args: readonly string[] = [], env?: NodeJS.ProcessEnv): Promise<Outcome> {
  const outcome = before.then(() => runHere(resolve(root, program), args, env))
  before = outcome.catch(() => {})
  return outcome
}

function replaceVariables(variables: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, variables)
}

async function runHere(program: string, args: readonly string[], env?: NodeJS.ProcessEnv): Promise<Outcome> {
  const { argv, exit, exitCode } = process
  const own = { ...process.env }
  const { log, error } = console
  const said = { stdout: '', stderr: '' }
  let code: number | undefined
  const ended = new Error('the program ended')
  const to =
    (stream: 'stdout' | 'stderr') =>
    (...parts: unknown[]) => {
      if (code === undefined) said[stream] += `${format(...parts)}\n`
    }
  if (env) replaceVariables({ PATH: own.PATH, ...env })
  process.argv = [process.execPath, program, ...args]
  process.exitCode = undefined
  process.exit = (given) => {
    code ??= Number(given ?? process.exitCode ?? 0)
    throw ended
  }
  Object.assign(console, { log: to('stdout'), error: to('stderr') })
  try {
    // Each address is a module of its own, which runs once.
    await import(`${program}?${++runs}`)
    code ??= Number(process.exitCode ?? 0)
  } catch (thrown) {
    console.error(thrown)
    code ??= 1
  } finally {
    Object.assign(console, { log, error })
    Object.assign(process, { argv, exit, exitCode })
    if (env) replaceVariables(own)
  }
  return { code, ...said }
}
