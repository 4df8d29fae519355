/** Commands of the operator, as `npm run admin --` runs them, but in this process: a process for each costs a second. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')
const program = join(root, 'kernel/admin.ts')

export interface Outcome {
  code: number
  stdout: string
  stderr: string
}

let runs = 0
/** The command that runs, because all of them share the console and the environment. */
let before: Promise<unknown> = Promise.resolve()

/** Runs a command with only these variables in its environment. */
export function admin(env: NodeJS.ProcessEnv, ...args: string[]): Promise<Outcome> {
  const outcome = before.then(() => runHere(env, args))
  before = outcome.catch(() => {})
  return outcome
}

async function runHere(env: NodeJS.ProcessEnv, args: readonly string[]): Promise<Outcome> {
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
  console.log = (text) => void (said.stdout += `${text}\n`)
  console.error = (text) => void (said.stderr += `${text}\n`)
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

/** Runs a command in a process of its own. @param input Its standard input. */
export const adminProcess = (env: NodeJS.ProcessEnv, args: readonly string[], input = ''): Promise<Outcome> =>
  new Promise((resolve) => {
    const own = { PATH: process.env.PATH, ...env }
    const child = execFile(process.execPath, [program, ...args], { env: own, cwd: root }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    )
    child.stdin!.end(input)
  })
