import type { Specimen } from '../family.ts'
import { flags } from './film-scene.ts'
import { type Args, ape, bySox, comments, sounding, spoken, title, told } from './sound-scene.ts'

const tagged = { tags: true }
const covered = { tags: true, cover: true }
const wide = { channels: 6, rate: 48_000 } as const
const mono = { channels: 1, rate: 22_050 } as const
const deep = { depth: 24, rate: 96_000 } as const
const speech = { channels: 1, rate: 8000 } as const
const broad = { channels: 1, rate: 16_000 } as const
const full = { rate: 48_000 } as const
const ipod = (brand: string): Args => ['-f', 'ipod', '-brand', brand]

/** Specimens of sounds. */
export const sounds: readonly Specimen[] = [
  spoken(
    'lame.mp3',
    'LAME',
    (input, output, cover) => [
      ...[...flags('lame --quiet -b 192 --id3v2-only --id3v2-utf16'), '--tt', title, '--ta', told.Performer],
      ...['--tl', told.Album, '--tn', 3, '--ty', 2021, '--tg', told.Genre, '--ti', cover, input, output],
    ],
    covered,
  ),
  sounding('cover.mp3', ['-c:a', 'libmp3lame', '-b:a', '128k', '-id3v2_version', 4], covered),
  spoken('vbr.mp3', 'LAME', (input, output) => ['lame', '--quiet', '-V', 4, '-m', 'm', input, output], mono),
  sounding('plain.wav', ['-c:a', 'pcm_s16le'], tagged),
  bySox('deep.wav', ['-b', 24], deep),
  sounding('surround.wav', ['-c:a', 'pcm_s24le'], { ...wide, depth: 24 }),
  bySox('telephone.wav', ['-e', 'u-law'], speech),
  sounding('float.wav', ['-c:a', 'pcm_f32le'], mono),
  spoken(
    'flac.flac',
    'FLAC',
    (input, output, cover) => [
      ...['flac', '-s', `--picture=${cover}`, ...comments.map(([name, text]) => `--tag=${name}=${text}`)],
      ...['-o', output, input],
    ],
    covered,
  ),
  sounding('deep.flac', ['-c:a', 'flac', '-sample_fmt', 's32', '-bits_per_raw_sample', 24], deep),
  bySox('sox.flac', ['-C', 8], mono),
  sounding('plain.aac', ['-c:a', 'aac', '-b:a', '128k', '-f', 'adts']),
  sounding('mono.aac', ['-c:a', 'aac', '-f', 'adts'], mono),
  sounding('surround.aac', ['-c:a', 'aac', '-b:a', '300k', '-f', 'adts'], wide),
  sounding('cover.m4a', ['-c:a', 'aac', '-b:a', '128k', ...ipod('M4A ')], covered),
  sounding('alac.m4a', ['-c:a', 'alac', ...ipod('M4A ')], tagged),
  sounding('surround.m4a', ['-c:a', 'aac', '-b:a', '300k', ...ipod('M4A ')], wide),
  sounding('book.m4b', ['-c:a', 'aac', '-b:a', '96k', ...ipod('M4B ')], { ...mono, ...covered, chapters: true }),
  sounding('plain.m4b', ['-c:a', 'aac', ...ipod('M4B ')], { ...tagged, chapters: true }),
  sounding('alac.m4b', ['-c:a', 'alac', ...ipod('M4B ')], full),
  sounding('plain.m4r', ['-c:a', 'aac', ...ipod('M4A ')], tagged),
  sounding('mono.m4r', ['-c:a', 'aac', ...ipod('M4A ')], mono),
  sounding('covered.m4r', ['-c:a', 'aac', '-b:a', '96k', ...ipod('M4A ')], { ...full, ...covered }),
  spoken(
    'vorbis.ogg',
    'oggenc',
    (input, output) => [
      ...['oggenc', '-Q', ...comments.flatMap(([name, text]) => ['-c', `${name.toLowerCase()}=${text}`])],
      ...['-o', output, input],
    ],
    tagged,
  ),
  sounding('flac.ogg', ['-c:a', 'flac', '-f', 'ogg'], mono),
  sounding('surround.ogg', ['-c:a', 'libvorbis', '-f', 'ogg'], wide),
  spoken(
    'cover.opus',
    'opusenc',
    (input, output, cover) => [
      ...['opusenc', '--quiet', '--picture', cover, '--title', title, '--artist', told.Performer],
      ...['--album', told.Album, '--genre', told.Genre, '--date', '2021', '--comment', 'tracknumber=3', input, output],
    ],
    { ...full, ...covered },
  ),
  sounding('mono.opus', ['-c:a', 'libopus', '-f', 'opus'], { channels: 1, rate: 48_000 }),
  sounding('surround.opus', ['-c:a', 'libopus', '-b:a', '256k', '-f', 'opus'], wide),
  spoken('narrow.spx', 'speexenc', (input, output) => ['speexenc', '--quality', 10, input, output], speech),
  spoken(
    'wide.spx',
    'speexenc',
    (input, output) => [...flags('speexenc -w --quality 10 --title'), title, input, output],
    broad,
  ),
  sounding('ffmpeg.spx', ['-c:a', 'libspeex', '-f', 'spx'], { channels: 1, rate: 32_000 }),
  sounding('two.wma', ['-c:a', 'wmav2', '-f', 'asf'], tagged),
  sounding('one.wma', ['-c:a', 'wmav1', '-f', 'asf'], mono),
  sounding('fast.wma', ['-c:a', 'wmav2', '-b:a', '192k', '-f', 'asf'], full),
  bySox('sox.aiff', []),
  sounding('tagged.aiff', ['-c:a', 'pcm_s24be', '-write_id3v2', 1, '-f', 'aiff'], { ...deep, ...tagged }),
  sounding('turned.aiff', ['-c:a', 'pcm_s16le', '-f', 'aiff'], mono),
  bySox('narrow.amr', ['-t', 'amr-nb', '-C', 7], { ...speech, level: -11 }),
  bySox('low.amr', ['-t', 'amr-nb', '-C', 4], { ...speech, level: -11 }),
  bySox('middle.amr', ['-t', 'amr-nb', '-C', 2], { ...speech, level: -11 }),
  sounding('plain.ac3', ['-c:a', 'ac3', '-b:a', '192k'], full),
  sounding('surround.ac3', ['-c:a', 'ac3', '-b:a', '448k'], wide),
  sounding('enhanced.ac3', ['-c:a', 'eac3', '-b:a', '192k', '-f', 'eac3'], full),
  bySox('law.au', ['-e', 'mu-law'], speech),
  sounding('plain.au', ['-c:a', 'pcm_s16be']),
  sounding('float.au', ['-c:a', 'pcm_f32be'], mono),
  sounding('plain.caf', ['-c:a', 'pcm_s16le'], tagged),
  sounding('alac.caf', ['-c:a', 'alac'], mono),
  bySox('sox.caf', ['-b', 24], deep),
  sounding('plain.dts', ['-c:a', 'dca', '-strict', -2], full),
  sounding('surround.dts', ['-c:a', 'dca', '-strict', -2, '-b:a', '1411k'], wide),
  sounding('mono.dts', ['-c:a', 'dca', '-strict', -2], { channels: 1, rate: 44_100 }),
  ...[ape('plain.ape', 44_100), ape('fast.ape', 48_000), ape('studio.ape', 96_000)],
  spoken('plain.wv', 'WavPack', (input, output) => ['wavpack', '-q', '-w', `Title=${title}`, input, '-o', output]),
  spoken('hybrid.wv', 'WavPack', (input, output) => ['wavpack', '-q', '-b384', input, '-o', output], mono),
  sounding('ffmpeg.wv', ['-c:a', 'wavpack'], tagged),
  sounding('plain.mp2', ['-c:a', 'mp2', '-b:a', '192k'], full),
  sounding('twolame.mp2', ['-c:a', 'libtwolame'], {}),
  sounding('mono.mp2', ['-c:a', 'mp2', '-b:a', '64k'], mono),
  spoken('merged.mka', 'MKVToolNix', (input, output) => ['mkvmerge', '-q', '--title', title, '-o', output, input]),
  sounding('book.mka', ['-c:a', 'libopus', '-f', 'matroska'], { ...full, ...tagged, chapters: true }),
  sounding('surround.mka', ['-c:a', 'flac', '-f', 'matroska'], wide),
  sounding('plain.voc', ['-c:a', 'pcm_s16le'], {}),
  bySox('sox.voc', ['-b', 8, '-e', 'unsigned'], speech),
  bySox('sixteen.voc', ['-b', 16], { channels: 1, rate: 32_000 }),
  sounding('dolby.ra', ['-c:a', 'ac3', '-f', 'rm'], {}),
  sounding('speech.ra', ['-c:a', 'real_144', '-f', 'rm'], speech),
  sounding('wide.ra', ['-c:a', 'ac3', '-b:a', '192k', '-f', 'rm'], { channels: 1, rate: 48_000 }),
  sounding('opus.weba', ['-c:a', 'libopus', '-f', 'webm'], { ...full, tags: true }),
  sounding('vorbis.weba', ['-c:a', 'libvorbis', '-f', 'webm'], mono),
  sounding('surround.weba', ['-c:a', 'libopus', '-b:a', '256k', '-f', 'webm'], wide),
  sounding('plain.tta', ['-c:a', 'tta'], tagged),
  sounding('deep.tta', ['-c:a', 'tta', '-sample_fmt', 's32', '-bits_per_raw_sample', 24], deep),
  sounding('mono.tta', ['-c:a', 'tta'], mono),
]
