import type { Media } from '../../engines/ffmpeg/media.ts'

/** Seconds of the longer of picture and sound. */
export const longest = ({ seconds, video, sounds }: Media): number | undefined =>
  Math.max(video?.seconds ?? 0, sounds[0]?.seconds ?? 0) || seconds
