import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { LOOP_INTERVAL } from '../kernel/http/metrics/metrics.ts'
import { freePort } from '../test/harness/free-port.ts'

/** Signs the tokens of the benchmark. */
export const SECRET = 'athanor-bench-secret-of-enough-characters'

const root = join(import.meta.dirname, '..')

/**
 * A separate service in development mode, without limits for guests.
 *
 * @param more Variables of its environment. @param settings YAML of further settings. @param from The checkout.
 */
export async function startService(folder: string, more: NodeJS.ProcessEnv = {}, settings = '', from = root) {
  const port = await freePort()
  const config = join(folder, 'bench.yaml')
  await writeFile(
    config,
    `plans: { guest: { ${['maxFileSize', 'pendingJobs', 'heavyConcurrency', 'conversionsPerDay', 'bytesPerDay', 'storedBytes', 'filesPerBatch'].map((limit) => `${limit}: null`).join(', ')} } }\nlog: { level: error }\n${settings}`,
  )
  const env = {
    ...process.env,
    NODE_ENV: 'development',
    PORT: `${port}`,
    DATA_DIR: join(folder, 'data'),
    CONFIG_FILE: config,
    JWT_SECRET: SECRET,
    ...more,
  }
  const child = spawn('sh', ['config/run.sh', 'kernel/main.ts'], {
    cwd: from,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const base = `http://127.0.0.1:${port}`
  for (let attempt = 0; ; attempt++) {
    if (
      await fetch(`${base}/readyz`).then(
        (answer) => answer.ok,
        () => false,
      )
    )
      break
    if (attempt > 1500 || child.exitCode !== null) throw new Error('the service did not start')
    await delay(20)
  }
  return {
    base,
    pid: child.pid!,
    stop: () => end(child),
    /** Megabytes of the service's own process: proportional set size, which counts shared pages in part. */
    memory: async () => (await smaps(child.pid!)).Pss! / 1000,
    /** The same with shared pages counted in full: resident set size. */
    resident: async () => (await smaps(child.pid!)).Rss! / 1000,
    /**
     * 99th percentile of the event loop's delay in milliseconds since the last call, without the interval of the probe.
     */
    async loopDelay(): Promise<number> {
      const text = await (await fetch(`${base}/metrics`)).text()
      return Number(/^nodejs_eventloop_lag_p99_seconds (\S+)/m.exec(text)![1]) * 1000 - LOOP_INTERVAL
    },
  }
}

/** Variables of a process that writes each statement on SQLite as a line into a file. */
export const tracedInto = (statements: string): NodeJS.ProcessEnv => ({
  NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, 'traced.ts'))}`,
  STATEMENTS: statements,
})

/** Starts the baselines of `baseline.ts` in a separate process. @param more Variables of its environment. */
export async function startBaseline(folder: string, big: string, more: NodeJS.ProcessEnv = {}) {
  const child = fork(join(import.meta.dirname, 'baseline.ts'), [folder, big], { env: { ...process.env, ...more } })
  const [address] = (await once(child, 'message')) as [{ port: number }]
  return { base: `http://127.0.0.1:${address.port}`, stop: () => end(child) }
}

/** Memory of a process in kilobytes, from proc(5), smaps_rollup. */
async function smaps(pid: number): Promise<Record<string, number>> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8')
  return Object.fromEntries([...text.matchAll(/^(\w+):\s+(\d+) kB$/gm)].map(([, name, size]) => [name, Number(size)]))
}

async function end(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM')
  await Promise.race([once(child, 'exit'), delay(10_000, undefined, { ref: false })])
}
