import type { Engine } from '../kernel/contract.ts'

/** Otherwise, what an MP4 file says of itself would become tags in other formats. */
const unbranded = ['major_brand', 'minor_version', 'compatible_brands'].flatMap((name) => ['-metadata', `${name}=`])

/**
 * FFmpeg, for local files only. Arguments before a bare `-i` are options of the input, those after it of the output. If
 * they name a demuxer with `-f`, FFmpeg may use no other.
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
    const writesNothing = args[args.lastIndexOf('-f') + 1] === 'null'
    return [
      ['-hide_banner', '-nostdin', '-y', '-v', 'level+info', '-nostats', '-progress', 'pipe:1'],
      ['-protocol_whitelist', 'file,pipe', demuxer && ['-format_whitelist', demuxer]],
      [before, '-i', job.input, args.slice(at + 1), unbranded, writesNothing ? '-' : job.output],
    ]
  },
  progress: () => {
    let total = 0
    let measuring = false
    return (line) => {
      const [, ...clock] = /^\[info\] +Duration: (\d+):(\d\d):(\d\d(?:\.\d+)?)/.exec(line) ?? []
      if (clock.length) total ||= clock.reduce((sum, part) => sum * 60 + Number(part), 0)
      // The first pass of two only measures.
      measuring ||= line.startsWith('[info] Output #0, null')
      const done = /^out_time_us=(\d+)$/.exec(line)?.[1]
      if (!total || done === undefined) return undefined
      return Math.min(Number(done) / 1e6 / total, 1) * (measuring ? 0.5 : 1)
    }
  },
  // Every codec starts one thread per core, each with its own frames and reserved space, and encoders look ahead: large
  // frames on many cores need far more address space than memory.
  sandbox: { binds: ['/etc/alternatives'], processes: 256, addressSpace: 32 * 2 ** 30 },
}
