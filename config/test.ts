/**
 * Type check, lint and every test (or the test files named as arguments). The last line is `N passed, N failed`;
 * a type check or lint that complains counts as one failure. Exits with 1 when anything failed or nothing ran.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { reportTap } from './tap-report.ts'

const root = join(import.meta.dirname, '..')
const bin = join(root, 'node_modules/.bin')
// What tests start must be this Node too.
const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` }

console.log('Type check')
const types = (await ended(start('tsc'))) && (await ended(start('tsc', '-p', 'page')))
console.log('Lint')
const lint = await ended(start('biome', 'check', '--error-on-warnings'))
console.log('Tests')
const tap = start('tap', 'run', '--reporter=tap', ...process.argv.slice(2))
const [tests, totals] = await Promise.all([ended(tap), reportTap(tap.stdout!, console.log)])

const passed = totals.pass + Number(types) + Number(lint)
// tap's totals may lack a file that crashed between its tests, or that there was nothing to run.
const failedTests = totals.fail || (tests && totals.pass > 0 ? 0 : 1)
const failed = failedTests + Number(!types) + Number(!lint)
if (totals.skip) console.log(`${totals.skip} skipped`)
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0

function start(command: string, ...args: string[]): ChildProcess {
  const stdout = command === 'tap' ? 'pipe' : 'inherit'
  return spawn(join(bin, command), args, { cwd: root, env, stdio: ['ignore', stdout, 'inherit'] })
}

/** Whether a process ended well. */
function ended(child: ChildProcess): Promise<boolean> {
  return new Promise((resolve, reject) => child.on('error', reject).on('close', (code) => resolve(code === 0)))
}
