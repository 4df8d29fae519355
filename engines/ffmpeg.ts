import type { Engine } from '../kernel/contract.ts'

/**
 * FFmpeg, reading local files alone. Arguments before a lone `-i` are the input's, those after it the output's. Where
 * they name a demuxer by `-f`, no other may open anything.
 */
export const ffmpeg: Engine = {
  name: 'ffmpeg',
  binary: ['ffmpeg'],
  version: ['-version'],
  package: 'ffmpeg',
  features: ['-hide_banner', '-encoders'],
  argv: (job, args) => {
    const at = args.indexOf('-i')
    const before = args.slice(0, Math.max(at, 0))
    const demuxer = before.includes('-f') && before[before.indexOf('-f') + 1]
    return [
      ['-hide_banner', '-nostdin', '-y', '-v', 'level+info', '-nostats', '-progress', 'pipe:1'],
      ['-protocol_whitelist', 'file,pipe', demuxer && ['-format_whitelist', demuxer]],
      [before, '-i', job.input, args.slice(at + 1), job.output],
    ]
  },
  progress: () => {
    let total = 0
    let measuring = false
    return (line) => {
      const [, ...clock] = /^\[info\] +Duration: (\d+):(\d\d):(\d\d(?:\.\d+)?)/.exec(line) ?? []
      if (clock.length) total ||= clock.reduce((sum, part) => sum * 60 + Number(part), 0)
      // A pass that only measures is the first of two.
      measuring ||= line.startsWith('[info] Output #0, null')
      const done = /^out_time_us=(\d+)$/.exec(line)?.[1]
      if (!total || done === undefined) return undefined
      return Math.min(Number(done) / 1e6 / total, 1) * (measuring ? 0.5 : 1)
    }
  },
  // A thread a core and codec, each with frames of its own and room that it reserves, and what encoders look ahead by:
  // for large pictures on many cores far more addresses than memory.
  sandbox: { binds: ['/etc/alternatives'], processes: 256, addressSpace: 32 * 2 ** 30 },
}
