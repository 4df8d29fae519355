/**
 * Loaded before every test file: tap's tracer, which serves coverage and `--changed`, puts variables into the
 * environment of every process that a test starts, and a sandbox that shows any is refused. This takes it off again:
 * the listeners of the package process-on-spawn, and the option by which the tracer enters Node processes.
 */
const { listeners } = (globalThis as any)[Symbol.for('process-on-spawn@*:singletonId')] ?? {}
listeners?.splice(0)
delete process.env.NODE_OPTIONS
