/** Small programs, such as the operator's commands, run in this process: a process for each costs a second. */
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

export interface Outcome {
  code: number
  stdout: string
  stderr: string
}

let runs = 0
/** The program that runs, because all of them share the console and the environment. */
let before: Promise<unknown> = Promise.resolve()

/** Runs an operator's command with only these variables in its environment. */
export const admin = (env: NodeJS.ProcessEnv, ...args: string[]) => runInside('kernel/admin.ts', env, args)

/** Runs a program of the checkout, which ends by itself, with only these variables. One runs at a time. */
export function runInside(program: string, env: NodeJS.ProcessEnv, args: readonly string[] = []): Promise<Outcome> {
  const outcome = before.then(() => runHere(join(root, program), env, args))
  before = outcome.catch(() => {})
  return outcome
}

async function runHere(program: string, env: NodeJS.ProcessEnv, args: readonly string[]): Promise<Outcome> {
  const { argv, exitCode } = process
  const own = { ...process.env }
  const { log, error } = console
  const said = { stdout: '', stderr: '' }
  const replace = (variables: NodeJS.ProcessEnv) => {
    for (const name of Object.keys(process.env)) delete process.env[name]
    Object.assign(process.env, variables)
  }
  replace({ PATH: own.PATH, ...env })
  process.argv = [process.execPath, program, ...args]
  console.log = (text) => {
    said.stdout += `${text}\n`
  }
  console.error = (text) => {
    said.stderr += `${text}\n`
  }
  try {
    process.exitCode = 0
    // Each address is a module of its own, which runs once.
    await import(`${program}?${++runs}`)
    return { code: Number(process.exitCode), ...said }
  } finally {
    Object.assign(console, { log, error })
    process.argv = argv
    process.exitCode = exitCode
    replace(own)
  }
}
