/**
 * Runs every program of ours once, without a job, so that Node keeps it compiled for those that come: 0.1 s each.
 * The set-up starts it as the user number that programs see in their sandbox, since Node keeps them by it.
 */
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { commands, compileCacheEnvironment } from './program.ts'

/** Milliseconds for one program to notice that it has nothing to do. */
const PATIENCE = 10_000

const engines = new URL('..', import.meta.url)
for (const name of readdirSync(engines)) if (name.endsWith('.ts')) await import(new URL(name, engines).href)
for (const command of commands)
  spawnSync(process.execPath, command, { stdio: 'ignore', timeout: PATIENCE, env: compileCacheEnvironment })
