import { createRequire } from 'node:module'
import type { Plugin } from 'esbuild'

const load = createRequire(import.meta.url)

/** Modules of Node that take 4 ms each to load, and that libraries import for cases that do not occur here. */
const LATE = ['child_process', 'crypto']

/**
 * Makes a bundle take Node's own modules without `import`, which evaluates all that they export. Those of `LATE` are
 * only loaded when something of them is used.
 */
export const lateModules: Plugin = {
  name: 'late modules',
  setup(build) {
    build.onResolve({ filter: /^node:/ }, ({ path }) => ({ path: path.slice('node:'.length), namespace: 'node' }))
    build.onResolve({ filter: new RegExp(`^(${LATE.join('|')})$`) }, ({ path }) => ({ path, namespace: 'node' }))
    build.onLoad({ filter: /./, namespace: 'node' }, ({ path }) => {
      const module = `process.getBuiltinModule('${path}')`
      const late = () => Object.keys(load(path) as object).map((name) => `get ${name}() { return ${module}.${name} }`)
      return { contents: `module.exports = ${LATE.includes(path) ? `{ ${late().join(', ')} }` : module}` }
    })
  },
}
