/**
 * Starts the service: `main.ts [--only image,audio] [--home] [--version]`. Says when it is ready. SIGTERM, SIGHUP and
 * SIGINT stop it in order. With `--embedded`, it serves the program that started it: see `boot/embedded.ts`.
 */
import { once } from 'node:events'
import type { Server } from 'node:http'
import { enableCompileCache, flushCompileCache } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import type { Config } from '../config/config.ts'
import type { Kernel } from './boot/kernel.ts'
import type { ReloadOutcome } from './boot/settings/reload-answers.ts'
import type { Drain } from './http/connection/drain.ts'

/** Exit code from sysexits.h: the configuration or the machine does not allow a start. */
const EX_CONFIG = 78
/** Milliseconds within which a repeated signal counts as the same one, because a terminal and npm both deliver it. */
const SAME_WISH = 1000
/** Sent by a supervisor, by a closed terminal and by a person (Ctrl+C). */
const ENDING = ['SIGTERM', 'SIGHUP', 'SIGINT'] as const

// Native modules are built for Node 24 and crash silently under another version. So check before any import.
if (!process.versions.node.startsWith('24.')) {
  console.error(`This is Node ${process.versions.node}, but Node 24 is needed. npm start uses its own Node 24.`)
  process.exit(EX_CONFIG)
}

if (process.argv.includes('--version')) {
  const { release } = await import('../config/commit.ts')
  console.log(release)
  process.exit(0)
}

// Engines read stored files as another user. The parent folders keep other users out.
process.umask(0o022)
// Before the service is ready, there is nothing to drain.
const leave = () => process.exit(0)
for (const signal of ENDING) process.on(signal, leave)

// By default, SIGUSR2 would end the process.
const ignore = () => {}
process.on('SIGUSR2', ignore)

// Cache compiled modules: the next start is faster and uses less memory, without the TypeScript parser. `config/run.sh`
// names the same folder before Node reads this file.
enableCompileCache(join(import.meta.dirname, '..', 'node_modules', '.cache', 'athanor-compile'))

try {
  await serve()
} catch (error) {
  const { StartError } = await import('./errors.ts')
  const { printError } = await import('./terminal.ts')
  const { message, stack } = error as Error
  printError(error instanceof StartError || process.env.NODE_ENV === 'production' ? message : String(stack))
  process.exit(error instanceof StartError ? EX_CONFIG : 1)
}

async function serve(): Promise<void> {
  const { loadConfig, readArguments } = await import('../config/load.ts')
  const { findMisspelt } = await import('../config/environment.ts')
  for (const { given, meant } of findMisspelt(process.env).possible) {
    console.error(`Warning: the variable ${given} is unknown. Did you mean ${meant}?`)
  }
  const config = loadConfig({ env: process.env, argv: process.argv.slice(2) })
  if (config.socket !== undefined) (await import('./boot/embedded.ts')).endWithStarter(config)
  const { checkStart } = await import('./boot/checks.ts')
  const claim = await checkStart(config)
  const { recordServiceSettings } = await import('./boot/service-settings.ts')
  recordServiceSettings(config.dataDir, process.env, readArguments(process.argv.slice(2)))
  const { createKernel } = await import('./boot/create-kernel.ts')
  const { outliveEngines } = await import('./sandbox/limits/oom-score.ts')
  const { strayFault } = await import('./hooks.ts')
  const { createDrain } = await import('./http/connection/drain.ts')
  const { createServer } = await import('./http/server.ts')
  const { createMetrics } = await import('./http/metrics/metrics.ts')
  const { gaugeUpdates } = await import('./http/metrics/updates.ts')
  const { findOwnUpdates } = await import('../config/setup/own-updates.ts')
  const { createMetricsServer } = await import('./http/metrics/access.ts')
  outliveEngines()
  const kernel = await createKernel(config, undefined, claim)
  process.on('uncaughtException', (error) => {
    // An error in a plugin's timer or promise must not end all other conversions.
    const fault = strayFault(error)
    if (fault) return kernel.log.error({ err: fault, ...fault.origin }, 'a plugin threw an error outside a conversion')
    kernel.log.fatal(error, 'uncaught')
    process.exit(1)
  })
  const metrics = createMetrics(kernel)
  if (config.role !== 'api') gaugeUpdates(metrics.registry, findOwnUpdates, kernel.stopping)
  const { port, host } = config.metrics
  if (port !== null) await listen(createMetricsServer(metrics, config), { host, port })
  const server: Server = createServer(kernel, metrics)
  await listen(server, config)
  stopBySignal(createDrain(server), kernel)
  reloadOnWish(kernel, () => loadConfig({ env: process.env, argv: process.argv.slice(2) }))
  await sayReady(kernel, server)
  const { notifySupervisor } = await import('./boot/notify.ts')
  await notifySupervisor(process.env, kernel.log)
  // The next start finds what this one has compiled.
  flushCompileCache()
  // Let the heap grow to 1.5 times its live size. The default is 4 times: under load that keeps 150 MB of garbage. The
  // start is faster without it.
  setFlagsFromString('--heap-growing-percent=50')
}

/** @throws StartError if another process took the address after the check. */
async function listen(server: Server, address: Pick<Config, 'host' | 'port'> & { socket?: string | undefined }) {
  const { host, port, socket } = address
  try {
    await once(socket === undefined ? server.listen(port, host) : server.listen(socket), 'listening')
  } catch (cause) {
    const { cannotListen } = await import('./boot/address.ts')
    throw cannotListen({ host, port }, cause)
  }
}

/** Says where the service answers: to programs in production, else to people. */
async function sayReady({ config, log }: Kernel, server: Server): Promise<void> {
  if (config.socket !== undefined) return console.log(`Athanor is ready on ${config.socket}`)
  const url = urlOf(server, config)
  if (config.mode === 'production' && config.profile !== 'home') return log.info({ url }, 'ready')
  console.log(`Athanor is ready on ${url}`)
  const { homeLine } = await import('./boot/home-line.ts')
  console.log(homeLine(config, (server.address() as AddressInfo).port))
}

/** Returns a URL that a browser on this machine can open. */
function urlOf(server: Server, { host, tls }: Config): string {
  const { port } = server.address() as AddressInfo
  const name = host === '::' || host === '0.0.0.0' ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `${tls ? 'https' : 'http'}://${name}:${port}`
}

/** Reloads the configuration on SIGUSR2 or on an administrator's command, which gets the outcome. */
function reloadOnWish(kernel: Kernel, load: () => Config): void {
  const reload = (): ReloadOutcome => {
    try {
      const needRestart = kernel.reload(load())
      kernel.log.info({ ...(needRestart.length && { needRestart }) }, 'configuration reloaded')
      return { reloaded: true, needRestart }
    } catch (error) {
      const reason = (error as Error).message
      kernel.log.error({ reason }, 'configuration not reloaded; the old one stays in effect')
      return { reloaded: false, reason }
    }
  }
  kernel.events.on('reload', (request) => {
    kernel.answerReload(request, reload()).catch((err) => kernel.log.warn({ err }, 'reload not answered'))
  })
  process.off('SIGUSR2', ignore).on('SIGUSR2', reload)
}

/**
 * Lets load balancers see that it stops, stops accepting, drains and exits with 0. Conversions and open requests have
 * the same time for that. A second SIGINT, at least a second later, exits at once with 130.
 */
function stopBySignal(drain: Drain, kernel: Kernel): void {
  let since: number | undefined
  const stop = async (signal: NodeJS.Signals) => {
    if (since !== undefined) {
      if (signal === 'SIGINT' && performance.now() - since > SAME_WISH) process.exit(130)
      return
    }
    since = performance.now()
    kernel.log.info({ signal }, 'stopping')
    const { delay, grace } = kernel.config.shutdown
    try {
      kernel.health.leave()
      await drain.leave(delay)
      await kernel.close((conversions) => drain.close(grace, conversions))
    } catch (error) {
      kernel.log.fatal(error, 'shutdown failed')
      process.exit(1)
    }
    process.exit(0)
  }
  for (const signal of ENDING) process.off(signal, leave).on(signal, stop)
}
