import { Gauge, type Registry } from 'prom-client'
import type { Kernel } from '../../boot/kernel.ts'
import { freeBytes } from '../../disk-space.ts'

/** Measures the service itself: release, certificate, disk, warm processes, maintenance. */
export function gaugeService(
  { config, certificate, warm, settings, away }: Pick<Kernel, 'config' | 'certificate' | 'warm' | 'settings' | 'away'>,
  registry: Registry,
): void {
  const registers = [registry]
  const build = new Gauge({
    name: 'athanor_build_info',
    help: 'Always 1. The labels are the version and commit of the service, and the version of Node.',
    labelNames: ['version', 'commit', 'node'],
    registers,
  })
  build.set({ version: config.version, commit: config.commit ?? '', node: process.versions.node }, 1)
  if (certificate) {
    const expiry: Gauge = new Gauge({
      name: 'athanor_tls_expiry_seconds',
      help: 'Seconds until the certificate expires; negative afterwards.',
      registers,
      collect: () => expiry.set((certificate.current().expires - Date.now()) / 1000),
    })
  }
  const maintenance: Gauge = new Gauge({
    name: 'athanor_maintenance',
    help: '1 in maintenance mode, otherwise 0.',
    registers,
    collect: () => maintenance.set(settings.maintenance ? 1 : 0),
  })
  const parts: Gauge = new Gauge({
    name: 'athanor_part_up',
    help: '1 if a part that the service needs answered when it was last used or checked, otherwise 0.',
    labelNames: ['part'],
    registers,
    collect() {
      for (const [part, isAway] of Object.entries(away())) parts.set({ part }, isAway ? 0 : 1)
    },
  })
  const free: Gauge = new Gauge({
    name: 'athanor_data_free_bytes',
    help: "Free bytes of the data folder's disk.",
    registers,
    collect: async () => free.set(await freeBytes(config.dataDir)),
  })
  const processes: Gauge = new Gauge({
    name: 'athanor_warm_processes',
    help: 'Processes of engines that are started in advance, by engine and state: booting, ready, or kept for an owner.',
    labelNames: ['engine', 'state'],
    registers,
    collect() {
      processes.reset()
      for (const { engine, ...states } of warm()) {
        for (const [state, count] of Object.entries(states)) processes.set({ engine, state }, count)
      }
    },
  })
}
