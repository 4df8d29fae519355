import type { Media } from '../../engines/ffmpeg/media.ts'

/** Returns the duration in seconds of the longer one of video and audio. */
export const longest = ({ seconds, video, sounds }: Media): number | undefined =>
  Math.max(video?.seconds ?? 0, sounds[0]?.seconds ?? 0) || seconds
