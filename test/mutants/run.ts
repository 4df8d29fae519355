/**
 * `npm run test:mutants`: shows that the tests find faults. Draws changes of the product, applies one at a time, and
 * runs the tests that can reach it: first those of `npm test`, then those of `npm run test:all`, until one fails. It
 * changes the files of the checkout while it runs, so it needs one without changes, best a clone of its own.
 *
 *     --seed 28          another seed draws other changes
 *     --count 80         number of changes
 *     --first 1          number of the first of them, to continue
 *     --fast 300         seconds for the tests of `npm test`, for each change
 *     --deep 600         seconds for the others; 0 leaves them out
 *     --list             only prints the changes
 *
 * Prints a line for each change: by which test it was caught. Changes that do not compile are not counted.
 */
import { spawn, spawnSync } from 'node:child_process'
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { reachedBy, root } from '../run/imports.ts'
import { isDeep, testFiles } from '../run/selection.ts'
import { reportTap } from '../run/tap-report.ts'
import { draw } from './draw.ts'
import type { Mutation } from './mutations.ts'

const number = { type: 'string' } as const
const { values } = parseArgs({
  options: {
    seed: { ...number, default: '28' },
    count: { ...number, default: '80' },
    first: { ...number, default: '1' },
    fast: { ...number, default: '300' },
    deep: { ...number, default: '600' },
    list: { type: 'boolean', default: false },
  },
})
const bin = join(root, 'node_modules/.bin')
const report = join(root, 'node_modules/.cache/athanor-mutants', `${values.seed}.ndjson`)
mkdirSync(join(report, '..'), { recursive: true })

if (spawnSync('git', ['-C', process.env.CHECKOUT ?? root, 'diff', '--quiet', 'HEAD']).status !== 0) {
  console.error('The checkout has changes. Commit them first: this program changes files, and restores them.')
  process.exit(2)
}

const tests = testFiles()
const first = Number(values.first)
const count = Number(values.count)
const told = ({ kind, file, line, before, after }: Mutation) =>
  `${kind} ${file}:${line}: ${before.trim()} → ${after.trim() || '(removed)'}`

let drawn = 0
for (const mutation of draw(Number(values.seed))) {
  if (drawn === count) break
  if (!(await withMutation(mutation, async () => compiles(mutation)))) continue
  drawn++
  if (values.list) console.log(`${drawn} ${told(mutation)}`)
  if (values.list || drawn < first) continue
  const outcome = await withMutation(mutation, () => tryMutation(mutation))
  appendFileSync(report, `${JSON.stringify({ number: drawn, ...mutation, ...outcome })}\n`)
  console.log(
    `${drawn} ${told(mutation)}\n   ${outcome.tier}${outcome.by ? `: ${outcome.by}` : ''}, ${outcome.seconds} s`,
  )
}

/** Applies a mutation, and restores the file afterwards. */
async function withMutation<Result>({ file, line, after }: Mutation, work: () => Promise<Result>): Promise<Result> {
  const path = join(root, file)
  const text = readFileSync(path, 'utf8')
  const lines = text.split('\n')
  lines[line - 1] = after
  const restore = () => writeFileSync(path, text)
  process.once('exit', restore)
  writeFileSync(path, lines.join('\n'))
  try {
    return await work()
  } finally {
    restore()
    process.off('exit', restore)
  }
}

function compiles({ file }: Mutation): boolean {
  const project = file.startsWith('page/') ? ['-p', 'page'] : []
  return spawnSync(join(bin, 'tsc'), project, { cwd: root }).status === 0
}

async function tryMutation(mutation: Mutation) {
  const began = performance.now()
  const reached = reachedBy([mutation.file], tests)
  // Results of engines and plugins are looked at by the matrix, which imports them from afar.
  const matrix = /^(?:engines|plugins)\//.test(mutation.file) ? reached.indexOf('test/matrix/matrix.test.ts') : -1
  if (matrix > 3) reached.splice(3, 0, ...reached.splice(matrix, 1))
  const seconds = () => Math.round((performance.now() - began) / 1000)
  // The page and the compiled programs are built from the changed sources.
  const isBuilt = /^(?:page|client|engines|config)\//.test(mutation.file)
  if (isBuilt && spawnSync('node', ['config/setup.mjs', '--no-install'], { cwd: root }).status !== 0)
    return { tier: 'fast', by: 'the build', seconds: seconds(), reached: reached.length }
  for (const tier of ['fast', 'deep'] as const) {
    const by = await firstFailure(
      reached.filter((test) => isDeep(test) === (tier === 'deep')),
      Number(values[tier]),
    )
    if (by) return { tier, by, seconds: seconds(), reached: reached.length }
  }
  return { tier: 'nobody', by: undefined, seconds: seconds(), reached: reached.length }
}

/** Runs tests, the nearest first, and returns the file of the first failure. Stops after so many seconds. */
async function firstFailure(files: readonly string[], seconds: number): Promise<string | undefined> {
  const end = performance.now() + seconds * 1000
  // tap runs the files of one call in its own order.
  for (let [at, many] = [0, 3]; at < files.length; at += many, many *= 3) {
    const left = end - performance.now()
    const failed = left > 0 ? await failureAmong(files.slice(at, at + many), left) : undefined
    if (failed) return failed
  }
  return undefined
}

/** @param limit Milliseconds. */
async function failureAmong(files: readonly string[], limit: number): Promise<string | undefined> {
  // Not with --bail, which loses the name of the file.
  // A change that makes a test wait for ever is caught: the longest needs three minutes.
  const tap = spawn(join(bin, 'tap'), ['run', '--reporter=tap', '--timeout=400', ...files], {
    cwd: root,
    env: { ...process.env, PATH: `${bin}:${process.env.PATH}`, ...(isDeep(files[0]!) && { TESTS_ALL: '1' }) },
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  })
  const end = () => {
    try {
      process.kill(-tap.pid!, 'SIGKILL')
    } catch {} // it has ended
  }
  const timer = setTimeout(end, limit)
  let failed: string | undefined
  await reportTap(tap.stdout, (line) => {
    const [, file] = /^FAILED (test\/[^ ,]+)/.exec(line) ?? []
    if (file && !failed) {
      failed = file
      end()
    }
  })
  clearTimeout(timer)
  end()
  return failed
}
