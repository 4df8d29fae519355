import type { Engine } from '../kernel/contract.ts'

/** Says what is in a media file (ffprobe(1)), with the same bounds as ffmpeg. The arguments are the input's. */
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
  sandbox: { binds: ['/etc/alternatives'], processes: 256 },
}
