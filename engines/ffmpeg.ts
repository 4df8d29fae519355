import type { Engine } from '../kernel/contract.ts'

/**
 * FFmpeg, reading local files alone. Arguments before a lone `-i` are the input's (the demuxer, where it is known),
 * those after it the output's.
 */
export const ffmpeg: Engine = {
  name: 'ffmpeg',
  binary: ['ffmpeg'],
  version: ['-version'],
  package: 'ffmpeg',
  features: ['-hide_banner', '-encoders'],
  argv: (job, args) => {
    const at = args.indexOf('-i')
    return [
      ['-hide_banner', '-nostdin', '-y', '-v', 'error', '-protocol_whitelist', 'file,pipe'],
      [args.slice(0, Math.max(at, 0)), '-i', job.input, args.slice(at + 1), job.output],
    ]
  },
  sandbox: { binds: ['/etc/alternatives'] },
}
