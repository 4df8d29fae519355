/**
 * Runs tests. The last line is `N passed, N failed`. Exits with 1 if anything failed or no test ran, with 2 for an
 * unknown name.
 *
 *     test.ts                     type check, lint, and every test but those in `*.all.test.ts`
 *     test.ts NAME …              only tests of these files, folders, plugins or engines
 *     test.ts --all [NAME …]      the same with `*.all.test.ts`
 *     test.ts --changed [BASE]    tests that changes since a commit (main) can reach; with --all, also `*.all.test.ts`
 *
 * A failed type check or lint counts as one failure. A test that fails because a program is not installed counts as
 * skipped, except in CI and with --all.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { parseArgs } from 'node:util'
import { changedSince } from './changed.ts'
import { reachedBy, root } from './imports.ts'
import { isDeep, type Selection, select, testFiles, UnknownName } from './selection.ts'
import { reportTap } from './tap-report.ts'

const { values, positionals } = parseArgs({
  options: { all: { type: 'boolean', default: false }, changed: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const bin = join(root, 'node_modules/.bin')
/** Processes that tests start must use the same Node. */
const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` }
const whole = values.changed || positionals.length === 0

try {
  await run(selection())
} catch (error) {
  if (!(error instanceof UnknownName)) throw error
  console.error(error.message)
  process.exitCode = 2
}

function selection(): Selection {
  const files = testFiles()
  const wanted = files.filter((file) => values.all || !isDeep(file))
  if (values.changed) return { files: reachedBy(changedSince(positionals[0]), wanted) }
  return positionals.length > 0 ? select(positionals, files, values.all) : { files: wanted }
}

async function run({ files, only }: Selection): Promise<void> {
  const checks = whole ? await check() : []
  if (files.length === 0) {
    console.log(values.changed ? 'No test ran: the changes reach none.' : 'No test ran.')
    process.exitCode = 1
    return
  }
  console.log(`Tests: ${files.length} files`)
  const tap = spawn(join(bin, 'tap'), ['run', '--reporter=tap', ...files], {
    cwd: root,
    env: { ...env, ...(only && { TESTS_ONLY: only }), ...(values.all && { TESTS_ALL: '1' }) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [exited, totals] = await Promise.all([ended(tap), reportTap(tap.stdout, console.log)])
  const tolerated = values.all || process.env.CI ? 0 : totals.missing
  const failed = totals.fail - tolerated
  // tap's totals may omit a file that crashed between its tests, and do not show that nothing ran.
  const hidden = failed === 0 && (totals.pass === 0 || (!exited && tolerated === 0)) ? 1 : 0
  if (totals.pass === 0) console.log('No test ran.')
  const skipped = totals.skip + tolerated
  if (whole) reportTimes(totals.files)
  if (skipped)
    console.log(`${skipped} skipped${tolerated ? `, ${tolerated} of them because programs are missing` : ''}`)
  const wrong = failed + hidden + checks.filter((passed) => !passed).length
  console.log(`${totals.pass + checks.filter(Boolean).length} passed, ${wrong} failed`)
  process.exitCode = wrong > 0 ? 1 : 0
}

/** Type check and lint. */
async function check(): Promise<boolean[]> {
  console.log('Type check')
  const types = (await ended(start('tsc'))) && (await ended(start('tsc', '-p', 'page')))
  console.log('Lint')
  return [types, await ended(start('biome', 'check', '--error-on-warnings'))]
}

/**
 * Prints the longest files, and what all took. Processor time is that of all processes that have ended: see
 * proc_pid_stat(5).
 */
function reportTimes(files: ReadonlyMap<string, number>): void {
  const longest = [...files].sort(([, a], [, b]) => b - a).slice(0, 10)
  console.log(`Longest: ${longest.map(([file, time]) => `${file} ${Math.round(time / 1000)} s`).join(', ')}`)
  const stat = readFileSync('/proc/self/stat', 'utf8')
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  const ticks = fields.slice(11, 15).reduce((sum, ticks) => sum + ticks, 0)
  console.log(`${minutes(process.uptime())} minutes, ${minutes(ticks / 100)} minutes of processor time`)
}

function minutes(seconds: number): string {
  return (seconds / 60).toFixed(1)
}

function start(command: string, ...args: string[]): ChildProcess {
  return spawn(join(bin, command), args, { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] })
}

/** Resolves to whether a process exited with 0. */
function ended(child: ChildProcess): Promise<boolean> {
  return new Promise((resolve, reject) => child.on('error', reject).on('close', (code) => resolve(code === 0)))
}
