/**
 * Loaded before every test file. Node keeps what it compiles for the next one.
 *
 * tap's tracer, for coverage and `--changed`, sets environment variables in every process that a test starts. A sandbox
 * with any variable is refused, so this removes the tracer: the listeners of the package process-on-spawn, and the
 * option by which the tracer enters Node processes.
 */
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

enableCompileCache(join(import.meta.dirname, '../../.tap/compiled'))
const { listeners } = (globalThis as any)[Symbol.for('process-on-spawn@*:singletonId')] ?? {}
listeners?.splice(0)
delete process.env.NODE_OPTIONS
