/**
 * Runs type check, lint and all tests (or the test files named as arguments). The last line is `N passed, N failed`.
 * A failed type check or lint counts as one failure. Exits with 1 if anything failed or nothing ran.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { reportTap } from './tap-report.ts'

const root = join(import.meta.dirname, '..')
const bin = join(root, 'node_modules/.bin')
// Processes that tests start must use the same Node.
const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` }

console.log('Type check')
const types = (await ended(start('tsc'))) && (await ended(start('tsc', '-p', 'page')))
console.log('Lint')
const lint = await ended(start('biome', 'check', '--error-on-warnings'))
console.log('Tests')
const tap = start('tap', 'run', '--reporter=tap', ...process.argv.slice(2))
const [tests, totals] = await Promise.all([ended(tap), reportTap(tap.stdout!, console.log)])

const passed = totals.pass + Number(types) + Number(lint)
// tap's totals may omit a file that crashed between its tests, and do not show that nothing ran.
const failedTests = totals.fail || (tests && totals.pass > 0 ? 0 : 1)
const failed = failedTests + Number(!types) + Number(!lint)
if (totals.skip) console.log(`${totals.skip} skipped`)
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0

function start(command: string, ...args: string[]): ChildProcess {
  const stdout = command === 'tap' ? 'pipe' : 'inherit'
  return spawn(join(bin, command), args, { cwd: root, env, stdio: ['ignore', stdout, 'inherit'] })
}

/** Resolves to whether a process exited with 0. */
function ended(child: ChildProcess): Promise<boolean> {
  return new Promise((resolve, reject) => child.on('error', reject).on('close', (code) => resolve(code === 0)))
}
