import type { Refused } from './family.ts'

const refused = (message: string, ...names: string[]): [string, Refused][] =>
  names.map((name) => [name, { code: 'CONVERSION_ERROR', message }])
const locked = (message: string, ...names: string[]): [string, Refused][] =>
  names.map((name) => [name, { code: 'ENCRYPTED_INPUT', message }])
const media = (...names: string[]) => names.map((name) => `video-audio-archive/${name}`)

/** Files of the corpus that cannot be converted by design, and what the client must read. All others must convert. */
export const refusals: Readonly<Record<string, Refused>> = Object.fromEntries<Refused>([
  ...locked(
    'The file is protected by DRM: it can be played only with a key',
    ...media('drm.m4a', 'encrypted-cenc.mp4', 'encrypted-init.mp4'),
  ),
  ...locked('The document asks for a password', 'document/encrypted.doc', 'document/encrypted.odt'),
  ...refused('There is no sound in the file', ...media('truncated-header.m4a')),
  ...refused('No video inside: there is nothing to make a video of', ...media('aac.3g2', 'meta.mov')),
  ...refused('The file is incomplete: it breaks off after 0.0 of 169022.7 seconds', ...media('chapters.m4b')),
  ...refused('The file could not be read as MP4', ...media('truncated-no-moov.mp4')),
  [
    'video-audio-archive/moov-only.mp4',
    {
      code: 'CONVERSION_ERROR',
      message: 'The file could not be read as MP4',
      others: { mp3: 'The file is incomplete: it breaks off after 0.0 of 10.0 seconds' },
    },
  ],
  // It ends after its head.
  [
    'image-vector-cad/tiny-ps.ai',
    {
      code: 'CONVERSION_ERROR',
      message: 'The file could not be read as AI',
      others: { pdf: 'The file shows no page' },
    },
  ],
  // Spaces instead of zeros stand in its set-up and its packets.
  ...refused('The file could not be read as WEBA', ...media('stream.weba')),
  ...refused('The sound is in xHE-AAC (USAC), which cannot be decoded', ...media('xhe-aac.mp4')),
])
