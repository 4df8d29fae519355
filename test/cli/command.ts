/** The command line, as people type it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import type { Test } from 'tap'
import { folderOf } from '../harness/folder.ts'
import { type Outcome, runInside } from '../harness/inside.ts'
import { type Service, STUB, serviceOf } from '../harness/service.ts'

export const program: string = join(import.meta.dirname, '../../cli/athanor.sh')

export interface Desk {
  service: Service
  /** An empty folder. */
  folder: string
  /** Variables of a person who uses the service. */
  env: Record<string, string>
  path(name: string): string
  /** Writes a source, by default a small one of the format `stub`. Resolves to its path. */
  file(name: string, content?: string): Promise<string>
  /** Runs a command in this process, which is cheap. It cannot read or print bytes. */
  athanor(...args: string[]): Promise<Outcome>
}

/** Starts a service, and a person with files. */
export async function deskOf(t: Test, how: Parameters<typeof serviceOf>[1] = {}): Promise<Desk> {
  const service = await serviceOf(t, {
    ...how,
    change(config) {
      config.plans.guest = { ...config.plans.guest, conversionsPerDay: null, pendingJobs: null }
      how.change?.(config)
    },
  })
  return deskAt(t, service)
}

/** A person with files, who uses a service. */
export async function deskAt(t: Test, service: Service): Promise<Desk> {
  const folder = await folderOf(t)
  const env = { ATHANOR_URL: service.base, XDG_CACHE_HOME: join(folder, '.cache') }
  const path = (name: string) => join(folder, name)
  return {
    service,
    folder,
    env,
    path,
    async file(name, content = STUB) {
      await mkdir(join(path(name), '..'), { recursive: true })
      await writeFile(path(name), content)
      return path(name)
    },
    athanor: (...args) => runInside('cli/athanor.ts', args, env),
  }
}

/** Starts a command as a process of its own, with only these variables beside `PATH`. */
export const start = (env: NodeJS.ProcessEnv, ...args: string[]): ChildProcess =>
  spawn(program, args, { env: { PATH: process.env.PATH, ...env } })

/** Waits for its end. */
export async function finished(child: ChildProcess): Promise<{ code: number | null; stdout: Buffer; stderr: string }> {
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  const [code, stdout, stderr] = await Promise.all([ended, buffer(child.stdout!), text(child.stderr!)])
  return { code, stdout, stderr }
}
