import type { Engine } from '../kernel/contract.ts'

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
  reason: (lines) =>
    // Without an extension, a glTF has a place for each of its buffers.
    lines.some((line) => line.includes('missing the "uri" attribute'))
      ? 'The model is compressed by meshopt, or lacks a buffer; export it without compression'
      : lines.some((line) => /no suitable reader|failed to load|unable to open|import failed/i.test(line))
        ? 'The model is damaged, incomplete or of an unsupported kind'
        : undefined,
}
