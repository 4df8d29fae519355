import type { Engine } from '../kernel/contract.ts'

const reasons: readonly [RegExp, string][] = [
  // Without an extension, a glTF has a place for each of its buffers.
  [
    /missing the "uri" attribute/,
    'The model is compressed by meshopt, or lacks a buffer; export it without compression',
  ],
  [
    /accessor without data/,
    'The model is compressed by Draco in a way that cannot be read; export it without compression',
  ],
  [/FBX-DOM unsupported, old format/, 'FBX older than 2011 cannot be read; save it as FBX 2011 or newer'],
  [
    /no suitable reader|failed to load|unable to open|import failed/i,
    'The model is damaged, incomplete or of an unsupported kind',
  ],
]

/** Converts meshes and scenes. The arguments are those of `assimp export` after the two files. */
export const assimp: Engine = {
  name: 'assimp',
  binary: ['assimp'],
  version: ['version'],
  package: 'assimp-utils',
  argv: (job, args) => ['export', job.input, job.output, args],
  progress: () => (line) => {
    const percent = /^([\d.]+) %$/.exec(line)?.[1]
    return percent === undefined ? undefined : Math.min(1, Number(percent) / 100)
  },
  reason: (lines) => reasons.find(([pattern]) => lines.some((line) => pattern.test(line)))?.[1],
}
