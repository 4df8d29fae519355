import type { Engine } from '../kernel/contract.ts'

/**
 * Describes a media file (ffprobe(1)), with the same restrictions as ffmpeg. The arguments are options of the input.
 */
export const ffprobe: Engine = {
  name: 'ffprobe',
  binary: ['ffprobe'],
  version: ['-version'],
  package: 'ffmpeg',
  argv: (job, args) => {
    const demuxer = args.includes('-f') && args[args.indexOf('-f') + 1]
    return [
      ['-hide_banner', '-v', 'level+fatal', '-protocol_whitelist', 'file,pipe'],
      [demuxer && ['-format_whitelist', demuxer], '-of', 'json=compact=1', args, '-i', job.input],
    ]
  },
  reason: (lines) =>
    lines.some((line) => line.includes('Audio object type 42 is not implemented'))
      ? 'The sound is in xHE-AAC (USAC), which cannot be decoded'
      : undefined,
  sandbox: { binds: ['/etc/alternatives'], processes: 256 },
}
