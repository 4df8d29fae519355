import type { Refused } from './family.ts'

const refused = (message: string, ...names: string[]): [string, Refused][] =>
  names.map((name) => [name, { code: 'CONVERSION_ERROR', message }])
const locked = (message: string, ...names: string[]): [string, Refused][] =>
  names.map((name) => [name, { code: 'ENCRYPTED_INPUT', message }])
const media = (...names: string[]) => names.map((name) => `video-audio-archive/${name}`)

/** Files of the corpus that cannot be converted by design, and what the client must read. All others must convert. */
export const refusals: Readonly<Record<string, Refused>> = Object.fromEntries<Refused>([
  ...locked(
    'The archive is encrypted and asks for a password',
    ...media('7zip-aes.zip', '7zip-enc-names.7z', 'encrypted-names.7z', 'encrypted.7z'),
    ...media('encrypted-aes256.zip', 'encrypted-traditional.zip', 'encrypted.zip', 'infozip-encrypted.zip'),
    ...media('encrypted-rar4.rar', 'rar2-encrypted.rar', 'rar4-encrypted-names.rar'),
    ...media('rar5-encrypted-names.rar', 'rar5-encrypted.rar'),
  ),
  ...locked(
    'The file is protected by DRM: it can be played only with a key',
    ...media('drm.m4a', 'encrypted-cenc.mp4', 'encrypted-init.mp4'),
  ),
  ...locked('The document asks for a password', 'document/encrypted.doc', 'document/encrypted.odt'),
  ...locked('The book is protected by DRM or a password', 'document/drm.epub'),
  ...locked('The file is protected by DRM or a password', 'document/drm.mobi'),
  // Whoever unpacks them would write or read outside the folder.
  ...refused(
    'An entry of the archive points outside the archive',
    ...media('dotdot.zip', 'evil.tar', 'same-name-twice.zip'),
  ),
  ...refused(
    'A link in the archive points outside the archive',
    ...media('rar4-symlink.rar', 'rar5-evil-symlink.rar', 'symlink-dotdot.zip'),
  ),
  ...refused('The archive holds no files', ...media('empty.7z', 'empty.zip', 'fixture.rpm')),
  ...refused(
    'The archive is one part of several; only complete archives can be converted',
    ...media('rar5-last-volume.rar'),
  ),
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
  ...refused(
    'The archive is damaged, incomplete or compressed by a method that is not supported',
    ...media('crc-wrong.7z'),
  ),
])
