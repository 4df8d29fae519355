import { join } from 'node:path'
import type { Engine, Plugin } from '../../../kernel/contract.ts'

const script = join(import.meta.dirname, 'engine.py')

const common: Omit<Engine, 'name' | 'argv'> = {
  binary: ['python3'],
  version: ['--version'],
  reason: (lines) => lines.findLast((line) => line.startsWith('refused: '))?.slice('refused: '.length),
}

/** Runs one upload in a new process. `unix` allows it Unix sockets. */
const once = (name: string, unixSockets: boolean): Engine => ({
  ...{ ...common, name },
  argv: ({ input, output, scratch }) => ['-I', '-u', script, 'once', input, output, scratch],
  sandbox: { binds: [script], unixSockets },
})
export const oneShot = once('taken-over', false)
export const withSockets = once('taken-over-sockets', true)

/** Runs many uploads of one owner in one process. */
export const warm: Engine = {
  ...{ ...common, name: 'taken-over-warm' },
  argv: ({ input, output, scratch }) => [input, output, scratch],
  sandbox: { binds: [script] },
  warm: { argv: ['-I', '-u', script, 'serve'], jobs: 1000 },
}

const format = (name: string) => ({
  mime: `text/x-${name}`,
  label: name,
  sniff: (head: Uint8Array) => Buffer.from(head.subarray(0, name.length + 2)).toString('latin1') === `#!${name}`,
})

/**
 * Converters that are already taken over, for tests of the walls around them. The upload is a Python program that starts
 * with the line `#!raid`, and the engine runs it. `engine.py` describes the program's environment. The target selects the
 * engine: `loot` one for this job only, `cargo` the same with Unix sockets, `booty` a warm one, `hoard` a warm one twice,
 * where the first result is the program of the second step, `spoils` a warm one and, if that refuses, one for this job
 * only.
 */
const plugin: Plugin = {
  category: 'taken-over',
  formats: {
    raid: format('raid'),
    loot: format('loot'),
    cargo: format('cargo'),
    booty: format('booty'),
    hoard: format('hoard'),
    spoils: format('spoils'),
  },
  options: {},
  routes: [
    { from: ['raid'], to: ['loot'], engine: oneShot, args: () => [] },
    { from: ['raid'], to: ['cargo'], engine: withSockets, args: () => [] },
    { from: ['raid'], to: ['booty'], engine: warm, args: () => [] },
    { from: ['booty'], to: ['hoard'], engine: warm, args: () => [] },
    { from: ['raid'], to: ['hoard'], via: 'booty' },
    { from: ['raid'], to: ['spoils'], engine: warm, args: () => [] },
    { from: ['raid'], to: ['spoils'], engine: oneShot, args: () => [] },
  ],
}

export default plugin
