import { join } from 'node:path'
import type { Engine, Plugin } from '../../../kernel/contract.ts'

const script = join(import.meta.dirname, 'engine.py')

const common: Omit<Engine, 'name' | 'argv'> = {
  binary: ['python3'],
  version: ['--version'],
  reason: (lines) => lines.findLast((line) => line.startsWith('refused: '))?.slice('refused: '.length),
}

/** Runs one upload in a new process. */
const once = (name: string, unixSockets: boolean): Engine => ({
  ...common,
  name,
  argv: ({ input, output, scratch }) => ['-I', '-u', script, 'once', input, output, scratch],
  sandbox: { binds: [script], unixSockets },
})
export const oneShot = once('taken-over', false)
export const withSockets = once('taken-over-sockets', true)

/** Runs many uploads of one owner in one process. */
export const warm: Engine = {
  ...common,
  name: 'taken-over-warm',
  argv: ({ input, output, scratch }) => [input, output, scratch],
  sandbox: { binds: [script] },
  warm: { argv: ['-I', '-u', script, 'serve'], jobs: 1000 },
}

const format = (name: string) => ({
  mime: `text/x-${name}`,
  label: name,
  sniff: (head: Uint8Array) => Buffer.from(head.subarray(0, name.length + 2)).toString('latin1') === `#!${name}`,
})

const formats = ['script', 'once', 'sockets', 'warm', 'twice', 'fallback']

/**
 * Converters that are already taken over, for tests of the walls around them. The upload is a Python program that
 * starts with the line `#!script`, and the engine runs it. `engine.py` describes the program's environment. The target
 * selects the engine: `once` one for this job only, `sockets` the same with Unix sockets, `warm` a warm one, `twice` a
 * warm one twice, where the first result is the program of the second step, `fallback` a warm one and, if that refuses,
 * one for this job only.
 */
const plugin: Plugin = {
  category: 'taken-over',
  formats: Object.fromEntries(formats.map((name) => [name, format(name)])),
  options: {},
  routes: [
    { from: ['script'], to: ['once'], engine: oneShot, args: () => [] },
    { from: ['script'], to: ['sockets'], engine: withSockets, args: () => [] },
    { from: ['script'], to: ['warm'], engine: warm, args: () => [] },
    { from: ['warm'], to: ['twice'], engine: warm, args: () => [] },
    { from: ['script'], to: ['twice'], via: 'warm' },
    { from: ['script'], to: ['fallback'], engine: warm, args: () => [] },
    { from: ['script'], to: ['fallback'], engine: oneShot, args: () => [] },
  ],
}

export default plugin
