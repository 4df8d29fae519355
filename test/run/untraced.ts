/**
 * Loaded before every test file. tap's tracer, for coverage and `--changed`, sets environment variables in every
 * process that a test starts. A sandbox with any variable is refused, so this removes the tracer: the listeners of the
 * package process-on-spawn, and the option by which the tracer enters Node processes.
 */
const { listeners } = (globalThis as any)[Symbol.for('process-on-spawn@*:singletonId')] ?? {}
listeners?.splice(0)
delete process.env.NODE_OPTIONS
