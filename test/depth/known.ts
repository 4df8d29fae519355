/** Cases that fail, and why. `npm test` shows them as to do; remove what is mended. */
export const known: Readonly<Record<string, string>> = Object.fromEntries(
  ['mp3', 'webm', 'mkv', 'mov', 'avi'].map((to) => [
    `video-audio-archive-imovie.mp4>${to}`,
    'FFmpeg does not read titles as 3GPP has them',
  ]),
)
