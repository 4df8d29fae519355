/** What the audio plugin runs, without running it. test/depth measures what comes of such commands. */
import t from 'tap'
import { fail } from '../../../kernel/kit.ts'
import plugin from '../../../plugins/audio/index.ts'
import { readMeter } from '../../../plugins/audio/loudness.ts'
import type { Answer } from '../../harness/command-lines.ts'
import { agree, linesOf, probed } from '../routes.ts'

const minute = { duration: '60' }
const sound = (codec_name: string, channels: number, rate: number, more = {}) => ({
  codec_type: 'audio',
  codec_name,
  channels,
  sample_rate: String(rate),
  ...more,
})
const cover = {
  codec_type: 'video',
  codec_name: 'mjpeg',
  pix_fmt: 'yuvj420p',
  width: 300,
  height: 200,
  disposition: { attached_pic: 1 },
}
const film = { codec_type: 'video', codec_name: 'h263', width: 176, height: 144 }

const sources: Readonly<Record<string, string>> = {
  mp3: probed(minute, sound('mp3', 2, 44_100), cover),
  flac: probed(minute, sound('flac', 6, 96_000, { bits_per_raw_sample: '24' }), { ...cover, codec_name: 'png' }),
  wav: probed(minute, sound('pcm_s16le', 2, 44_100)),
  mp4: probed(minute, film, sound('aac', 2, 44_100)),
  amr: probed(minute, sound('amr_nb', 1, 8000)),
  '3gp': probed(minute, film, sound('amr_wb', 1, 16_000)),
  ogg: probed(minute, sound('vorbis', 1, 22_050)),
  wma: probed(minute, sound('wmav2', 2, 44_100)),
  mka: probed(minute, sound('pcm_f32le', 8, 48_000, { sample_fmt: 'flt' })),
}
const whole = 'out_time_us=60000000'

/** What is run for a pair, without the look into the source. */
async function commands(pair: string, options = {}, ffmpeg: Answer | readonly Answer[] = whole, ffprobe = '') {
  const answers = { ffprobe: [sources[pair.split('>')[0]!]!, ffprobe], ffmpeg }
  return (await linesOf(plugin, pair, options, answers)).filter((line) => !line.includes('-read_intervals'))
}

t.test('each target: its encoder, tags, cover and container', (t) =>
  agree(
    t,
    commands,
    `
mp3>wav: -map 0:0 -c:a pcm_s16le -ar:a 44100 -ac:a 2 -map_metadata 0:g -map_chapters 0 -f wav -rf64 auto
mp3>flac: -map 0:0 -c:a flac -compression_level 8 -sample_fmt s16 -ar:a 44100 -ac:a 2 -map_metadata 0:g -map_chapters 0 -map 0:1 -c:v copy -disposition:v:0 attached_pic -f flac
mp3>aac: -map 0:0 -c:a aac -ar:a 44100 -ac:a 2 -b:a 160k -map_metadata 0:g -map_chapters 0 -f adts
mp3>m4a: -map 0:0 -c:a aac -ar:a 44100 -ac:a 2 -b:a 160k -map_metadata 0:g -map_chapters 0 -map 0:1 -c:v copy -disposition:v:0 attached_pic -f ipod -brand M4A  -movflags +faststart
mp3>m4b: -map 0:0 -c:a aac -ar:a 44100 -ac:a 2 -b:a 96k -map_metadata 0:g -map_chapters 0 -map 0:1 -c:v copy -disposition:v:0 attached_pic -f ipod -brand M4B  -movflags +faststart
mp3>m4r: -map 0:0 -c:a aac -ar:a 44100 -ac:a 2 -b:a 160k -map_metadata 0:g -map_chapters 0 -t 40 -f ipod -brand M4A  -movflags +faststart
mp3>ogg: -map 0:1 -c:v copy -frames:v 1 -f image2pipe ; cover-tag image/jpeg 300 200 ; ffmpeg -f mp3 -i -f ffmetadata -i /scratch/cover.tags -map 0:0 -c:a libvorbis -ar:a 44100 -ac:a 2 -q:a 3.00 -map_metadata:s:a:0 0:g -map_chapters 0 -map_metadata:s:a:0 1 -f ogg
mp3>opus: -map 0:1 -c:v copy -frames:v 1 -f image2pipe ; cover-tag image/jpeg 300 200 ; ffmpeg -f mp3 -i -f ffmetadata -i /scratch/cover.tags -map 0:0 -af aformat=channel_layouts=stereo -c:a libopus -ar:a 48000 -b:a 128k -map_metadata:s:a:0 0:g -map_chapters 0 -map_metadata:s:a:0 1 -f opus
mp3>spx: -map 0:0 -c:a libspeex -ar:a 32000 -ac:a 2 -map_metadata:s:a:0 0:g -map_chapters 0 -f spx
mp3>wma: -map 0:0 -c:a wmav2 -ar:a 44100 -ac:a 2 -b:a 160k -map_metadata 0:g -map_chapters 0 -f asf
mp3>aiff: -map 0:0 -c:a pcm_s16be -ar:a 44100 -ac:a 2 -map_metadata 0:g -map_chapters 0 -map 0:1 -c:v copy -disposition:v:0 attached_pic -f aiff -write_id3v2 1
mp3>ac3: -map 0:0 -c:a ac3 -ar:a 44100 -ac:a 2 -b:a 192k -map_metadata 0:g -map_chapters 0 -f ac3
mp3>au: -map 0:0 -c:a pcm_s16be -ar:a 44100 -ac:a 2 -map_metadata 0:g -map_chapters 0 -f au
mp3>caf: -map 0:0 -c:a pcm_s16le -ar:a 44100 -ac:a 2 -map_metadata 0:g -map_chapters 0 -f caf
mp3>mp2: -map 0:0 -c:a mp2 -ar:a 44100 -ac:a 2 -b:a 192k -map_metadata 0:g -map_chapters 0 -f mp2
mp3>mka: -map 0:1 -c:v copy -frames:v 1 -f image2pipe ; ffmpeg -f mp3 -i -map 0:0 -c:a copy -map_metadata 0:g -map_chapters 0 -attach /scratch/cover.picture -metadata:s:t:0 mimetype=image/jpeg -metadata:s:t:0 filename=cover.jpg -f matroska
mp3>weba: -map 0:0 -af aformat=channel_layouts=stereo -c:a libopus -ar:a 48000 -b:a 128k -map_metadata 0:g -map_chapters 0 -f webm
mp3>wv: -map 0:0 -c:a wavpack -sample_fmt s16p -ar:a 44100 -ac:a 2 -map_metadata 0:g -map_chapters 0 -f wv
mp3>tta: -map 0:0 -c:a tta -sample_fmt s16 -ar:a 44100 -ac:a 2 -map_metadata 0:g -map_chapters 0 -f tta
mp3>amr: -map 0:0 -ac 1 -ar 8000 -c:a pcm_s16le -f s16le ; amr-writer 7
wav>mp3: -map 0:0 -c:a libmp3lame -ar:a 44100 -ac:a 2 -b:a 192k -map_metadata 0:g -map_chapters 0 -f mp3 -id3v2_version 3 -write_xing 1
flac>ogg: -map 0:1 -c:v copy -frames:v 1 -f image2pipe ; cover-tag image/png 300 200 ; ffmpeg -f flac -i -f ffmetadata -i /scratch/cover.tags -map 0:0 -c:a libvorbis -ar:a 96000 -ac:a 6 -q:a -0.16 -map_metadata:s:a:0 0:g -map_chapters 0 -map_metadata:s:a:0 1 -f ogg
flac>mka: -map 0:1 -c:v copy -frames:v 1 -f image2pipe ; ffmpeg -f flac -i -map 0:0 -c:a copy -map_metadata 0:g -map_chapters 0 -attach /scratch/cover.picture -metadata:s:t:0 mimetype=image/png -metadata:s:t:0 filename=cover.png -f matroska
ogg>mp3: -map 0:0 -c:a libmp3lame -ar:a 22050 -ac:a 1 -b:a 160k -map_metadata 0:s:0 -map_chapters 0 -f mp3 -id3v2_version 3 -write_xing 1
wma>tta: -map 0:0 -af aresample=async=1 -c:a tta -sample_fmt s16 -ar:a 44100 -ac:a 2 -map_metadata 0:g -map_chapters 0 -f tta
amr>au: sox -t amr-nb ; ffmpeg -f wav -ignore_length 1 -i -map 0:0 -c:a pcm_s16be -ar:a 8000 -ac:a 1 -map_metadata 0:g -map_chapters 0 -f au
3gp>au: -map 0:1 -c copy -f amr ; sox -t amr-wb ; ffmpeg -f wav -ignore_length 1 -i -map 0:0 -c:a pcm_s16be -ar:a 16000 -ac:a 1 -map_metadata 0:g -map_chapters 0 -f au
3gp>amr {"bitrate":7}: -map 0:1 -c copy -f amr ; sox -t amr-wb ; ffmpeg -f wav -ignore_length 1 -i -map 0:0 -ac 1 -ar 8000 -c:a pcm_s16le -f s16le ; amr-writer 3
`,
    /^(?:ffmpeg -f \w+ -i )?(.*)$/,
  ),
)

t.test(
  'rates, channels and bits: the nearest that encoders take, and more of them for surround sound and deep samples',
  (t) =>
    agree(
      t,
      commands,
      `
wav>mp3 {"bitrate":8}: 44100 -ac:a 2 -b:a 32k
wav>mp3 {"bitrate":512}: 44100 -ac:a 2 -b:a 320k
wav>aac {"bitrate":8}: 44100 -ac:a 2 -b:a 16k
wav>aac {"bitrate":512}: 44100 -ac:a 2 -b:a 512k
wav>ogg {"bitrate":8}: 44100 -ac:a 2 -q:a -1.00
wav>ogg {"bitrate":512}: 44100 -ac:a 2 -q:a 10.00
wav>opus {"bitrate":8}: 48000 -b:a 12k
ogg>opus {"bitrate":512}: 48000 -b:a 256k
wav>spx {"bitrate":8}: 32000 -ac:a 2 -b:a 8k
wav>spx {"bitrate":512}: 32000 -ac:a 2 -b:a 32k
wav>wma {"bitrate":8}: 44100 -ac:a 2 -b:a 24k
wav>wma {"bitrate":512}: 44100 -ac:a 2 -b:a 320k
wav>ac3 {"bitrate":8}: 44100 -ac:a 2 -b:a 64k
wav>ac3 {"bitrate":100}: 44100 -ac:a 2 -b:a 96k
wav>ac3 {"bitrate":512}: 44100 -ac:a 2 -b:a 512k
flac>ac3 {"bitrate":8}: 48000 -ac:a 6 -b:a 192k
wav>mp2 {"bitrate":8}: 44100 -ac:a 2 -b:a 64k
ogg>mp2 {"bitrate":8}: 22050 -ac:a 1 -b:a 8k
ogg>mp2 {"sampleRate":32000,"bitrate":512}: 32000 -ac:a 1 -b:a 192k
wav>mp2 {"bitrate":512}: 44100 -ac:a 2 -b:a 384k
wav>wv {"bitrate":32}: 44100 -ac:a 2
wav>mp3 {"sampleRate":96000}: 48000 -ac:a 2 -b:a 192k
wav>mp3 {"sampleRate":11025}: 11025 -ac:a 2 -b:a 64k
wav>mp3 {"sampleRate":22050}: 22050 -ac:a 2 -b:a 160k
wav>au {"sampleRate":96000}: 96000 -ac:a 2
wav>flac {"sampleRate":192000}: 192000 -ac:a 2
wav>ogg {"sampleRate":11025}: 11025 -ac:a 2 -q:a 10.00
wav>aac {"sampleRate":88200}: 88200 -ac:a 2 -b:a 160k
wav>aac {"sampleRate":8000,"bitrate":512}: 8000 -ac:a 2 -b:a 96k
wav>opus {"sampleRate":8000}: 48000 -b:a 128k
wav>spx {"sampleRate":12000}: 8000 -ac:a 2
wav>ac3 {"sampleRate":22050}: 32000 -ac:a 2 -b:a 192k
wav>mp2 {"sampleRate":12000}: 16000 -ac:a 2 -b:a 160k
wav>wma {"sampleRate":24000}: 22050 -ac:a 2 -b:a 160k
wav>m4r {"sampleRate":8000}: 16000 -ac:a 2 -b:a 160k
wav>flac {"channels":6}: 44100 -ac:a 2
flac>mp3: 48000 -ac:a 2 -b:a 192k
flac>mp3 {"channels":1}: 48000 -ac:a 1 -b:a 192k
flac>aac: 96000 -ac:a 6 -b:a 384k
flac>m4b {"channels":6}: 96000 -ac:a 2 -b:a 96k
flac>ogg {"channels":2}: 96000 -ac:a 2 -q:a 0.30
flac>opus: 48000 -b:a 256k
flac>weba {"channels":6}: 48000 -b:a 256k
flac>ac3: 48000 -ac:a 6 -b:a 448k
mka>aac: 48000 -ac:a 6 -b:a 384k
mka>m4a: 48000 -ac:a 6 -b:a 384k
mka>ac3: 48000 -ac:a 6 -b:a 448k
mka>opus: 48000 -b:a 256k
`,
      /-ar:a (\d.*?) -map_metadata/,
    ),
)

t.test('more than 16 bits stay; a stream is copied if the target and the options allow', (t) =>
  agree(
    t,
    commands,
    `
flac>wav: -c:a pcm_s24le
flac>aiff: -c:a pcm_s24be
mka>caf: -c:a pcm_s24le
flac>wv: -c:a wavpack -sample_fmt s32p
flac>tta: -c:a tta -sample_fmt s32
mka>flac: -c:a flac -compression_level 8 -sample_fmt s32
mp4>flac: -c:a flac -compression_level 8 -sample_fmt s16
mp4>m4a: -c:a copy
mp4>m4a {"sampleRate":44100,"channels":2}: -c:a copy
mp4>m4a {"bitrate":160}: -c:a aac
mp4>m4a {"sampleRate":22050}: -c:a aac
mp4>m4a {"channels":1}: -c:a aac
mp4>m4r: -c:a aac
flac>mka {"bitrate":160}: -c:a copy
wav>caf: -c:a copy
`,
    /(-c:a (?:(?! -ar:a| -map).)*)/,
  ),
)

const level = (loudness: string, peak: string) =>
  `[info]   Integrated loudness:\n    I:         ${loudness} LUFS\n    Threshold: -40.5 LUFS\n  Loudness range:\n    LRA:        12.0 LU\n    Threshold: -50.0 LUFS\n  True peak:\n    Peak:       ${peak} dBFS\n${whole}`
const meter = 'ebur128=peak=true:framelog=verbose -f null'

t.test('loudness: a gain if it leaves room, else a filter that follows, and a limiter', async (t) => {
  const filters = async (pair: string, options: object, ...answers: string[]) =>
    (await commands(pair, { normalize: true, ...options }, answers)).map(
      (line) => /-af (\S+( -f null)?)/.exec(line)?.[1],
    )
  t.strictSame(await filters('wav>au', {}, level('-30.0', '-20.0')), [meter, 'volume=14.00dB'])
  const follow = 'loudnorm=I=-16:TP=-1.5:measured_I=-30:measured_TP=-15.4:measured_thresh=-40.5:measured_LRA=12:LRA=12'
  t.strictSame(await filters('wav>au', {}, level('-30.0', '-15.4'), level('-17.0', '-3.0')), [
    meter,
    `${follow},${meter}`,
    `${follow},volume=1.00dB,alimiter=limit=0.8414:level=false`,
  ])
  t.strictSame(await filters('wma>au', {}, level('-70.0', '-inf')), [`aresample=async=1,${meter}`, 'aresample=async=1'])
  const mixed = 'aformat=channel_layouts=stereo'
  t.strictSame(await filters('flac>mp3', {}, level('-20.0', '-9.0')), [`${mixed},${meter}`, `${mixed},volume=4.00dB`])
  t.match(await filters('flac>au', { channels: 1 }, level('-20.0', '-9.0')), [/=mono,/, /=mono,/])
  t.match(await filters('wav>amr', {}, level('-20.0', '-9.0')), [/=mono,/, /=mono,volume=4.00dB$/, undefined])
  t.throws(() => readMeter(['[info] video:0kB audio:345kB']), { code: 'CONVERSION_ERROR', message: /loudness/ })
})

t.test('if copying fails, the sound is encoded; a cover that cannot be taken is left out', async (t) => {
  const refused = fail('CONVERSION_ERROR', 'no')
  t.match(await commands('mp4>m4a', {}, [refused, whole]), [/-c:a copy/, /-c:a aac/])
  t.match(await commands('mp3>ogg', {}, [refused, whole]), [/image2pipe/, /^ffmpeg -f mp3 -i -map 0:0 -c:a libvorbis/])
})

t.test('covers: the front one, as JPEG or PNG, whatever the source holds under which name', async (t) => {
  const jpeg = 'sharp to jpg'
  const found = (...streams: object[]) => probed(minute, sound('flac', 2, 44_100), ...streams)
  const front = { tags: { comment: 'Cover (front)' } }
  for (const [what, ffprobe, pair, ...wanted] of [
    ['the second', found(cover, { ...cover, ...front }), 'flac>mp3', '-map 0:2 -c:v copy'],
    ['GIF', found({ ...cover, codec_name: 'gif', pix_fmt: 'pal8' }), 'flac>mka', '-c:v png', 'mimetype=image/png'],
    ['WebP', found({ ...cover, codec_name: 'webp' }), 'flac>mka', '-c:v copy', jpeg, 'mimetype=image/jpeg'],
    ['WebP in a tag', found({ ...cover, codec_name: 'webp' }), 'flac>ogg', jpeg, 'cover-tag image/jpeg'],
    [
      'no picture at all',
      found({ ...cover, pix_fmt: undefined, width: 0 }),
      'flac>mp3',
      '-c:v copy',
      jpeg,
      'jpeg_pipe',
    ],
    ['a type that FFmpeg skips', `[warning] Unknown mimetype\n${found()}`, 'flac>mp3', 'exiftool -b', jpeg],
  ] as const) {
    const lines = (await linesOf(plugin, pair, {}, { ffprobe, ffmpeg: whole })).join(' ; ')
    const short = lines.replaceAll(/sharp \{[^;]*"to":"jpg"[^;]*\}/g, jpeg)
    let at = 0
    for (const part of wanted) t.ok((at = short.indexOf(part, at)) >= 0, `${what}: ${part} in ${short}`)
  }
})

t.test('FLAC of 32 bits is decoded by another program', async (t) => {
  const deep = { ...sound('flac', 2, 44_100), bits_per_raw_sample: '32' }
  const lines = await linesOf(plugin, 'flac>wav', {}, { ffprobe: probed(minute, deep), ffmpeg: whole })
  t.match(lines, [
    /^ffprobe/,
    /^flac/,
    /-ignore_length 1 -i -f flac -i .* -map 0:0 -c:a pcm_s24le .* -map_metadata 1:g/,
  ])
})

t.test('smaller without a change, or the source', async (t) => {
  const size = (bytes: number, duration = '60.05') => JSON.stringify({ format: { size: String(bytes), duration } })
  const smaller = (pair: string, ...told: Parameters<typeof size>) => commands(pair, {}, whole, size(...told))
  const shown = ['ffprobe -f mp3 -show_entries format=size,duration']
  const copied =
    'ffmpeg -f mp3 -i -map 0:0 -c:a copy -map_metadata 0:g -map_chapters 0 -map 0:1 -c:v copy -disposition:v:0 attached_pic -f mp3 -id3v2_version 3 -write_xing 1'
  t.strictSame(await smaller('mp3>mp3', 999), [copied, ...shown])
  t.strictSame(await smaller('mp3>mp3', 1000), [copied, ...shown, 'cp'])
  t.strictSame(await smaller('mp3>mp3', 999, '59.8'), [copied, ...shown, 'cp'])
  t.match(await smaller('flac>flac', 999), [/-c:a flac -compression_level 8 -sample_fmt s32 -map_metadata/, /^ffprobe/])
  t.strictSame(await smaller('wav>wav', 999), ['cp'])
  t.match(await commands('wav>wav', { channels: 1 }), [/-ac:a 1 .*-f wav/], 'what options ask for')
})

t.test('refusals', async (t) => {
  const refusal = (ffprobe: string, ffmpeg = whole, pair = 'mp4>mp3') =>
    linesOf(plugin, pair, {}, { ffprobe, ffmpeg }).then(
      (lines) => lines.at(-1),
      ({ code, message }) => `${code}: ${message}`,
    )
  t.equal(await refusal(probed(minute, film)), 'CONVERSION_ERROR: There is no sound in the file')
  const odd = 'CONVERSION_ERROR: The sound is in a codec that cannot be decoded here'
  t.equal(await refusal(probed(minute, { codec_type: 'audio', codec_tag_string: 'odd ' })), odd)
  const drm = 'ENCRYPTED_INPUT: The file is protected by DRM: it can be played only with a key'
  for (const codec_tag_string of ['drms', 'aavd'])
    t.equal(await refusal(probed(minute, sound('aac', 2, 44_100, { codec_tag_string }))), drm)
  const sides = { side_data_list: [{ side_data_type: 'Encryption initialization data' }] }
  t.equal(await refusal(probed(minute, sound('aac', 2, 44_100, sides))), drm)
  t.equal(await refusal(`[warning] DRM protected stream\n${sources.wma}`, whole, 'wma>mp3'), drm)
  t.equal(await refusal('nonsense'), 'CONVERSION_ERROR: The file could not be read as MP4')
  t.match(await refusal(sources.mp4!, 'out_time_us=57000000\n[error] partial file'), /^ffmpeg/, 'the last moments')
  const cut = 'CONVERSION_ERROR: The file is incomplete: it breaks off after'
  t.equal(await refusal(sources.mp4!, 'out_time_us=56900000\n[error] partial file'), `${cut} 56.9 of 60.0 seconds`)
  t.match(await refusal(sources.mp4!, 'out_time_us=20000000'), /^ffmpeg/, 'a file that only estimates its length')
  t.equal(await refusal(sources.flac!, 'out_time_us=20000000', 'flac>mp3'), `${cut} 20.0 of 60.0 seconds`)
  t.equal(await refusal(sources.mp4!, 'out_time_us=60000000\nvideo:9kB audio:0kB'), `${cut} 0.0 of 60.0 seconds`)
  t.match(await refusal(sources.mp3!, `${whole}\naudio:0kB`, 'mp3>au'), /^ffmpeg/)
  const short = probed({ duration: '0.5' }, sound('mp3', 2, 44_100))
  const nothing = '[warning] Output file is empty, nothing was encoded'
  t.equal(await refusal(short, nothing, 'mp3>wav'), `${cut} 0.0 of 0.5 seconds`, 'no frame was decoded')
  const long = probed({ duration: '45' }, sound('mp3', 2, 44_100))
  t.match(await refusal(long, 'out_time_us=40000000\nFile ended prematurely', 'mp3>m4r'), /-t 40/, 'a ringtone')
})

t.test('to set the loudness of long sound is heavy', async (t) => {
  const run = (seconds: object, options: object) =>
    linesOf(
      plugin,
      'wav>mp3',
      { ...options },
      { ffprobe: probed(seconds, { ...sound('pcm_s16le', 2, 44_100), ...seconds }), ffmpeg: ['Integrated loudness:'] },
      true,
    )
  const normalize = { normalize: true }
  const heavy = { name: 'NeedsHeavy' }
  await t.rejects(run({ duration: '601' }, normalize), heavy)
  await t.rejects(run({}, normalize), heavy, 'a duration that nobody knows')
  await t.rejects(run({ duration: '600' }, normalize), { code: 'CONVERSION_ERROR' }, 'the meter runs')
})

t.test('to encode sound of more than an hour is heavy, to copy it is not', async (t) => {
  const run = (pair: string, codec: string, seconds: number) =>
    linesOf(
      plugin,
      pair,
      {},
      {
        ffprobe: probed({ duration: String(seconds) }, { ...sound(codec, 2, 44_100), duration: String(seconds) }),
        ffmpeg: `out_time_us=${seconds}000000`,
      },
      true,
    )
  await t.resolves(run('wav>mp3', 'pcm_s16le', 3600))
  await t.resolves(run('wma>mka', 'mp3', 25_200))
  for (const pair of ['wav>mp3', 'wav>amr', 'flac>flac'])
    await t.rejects(run(pair, 'pcm_s16le', 3601), { name: 'NeedsHeavy' }, pair)
})
