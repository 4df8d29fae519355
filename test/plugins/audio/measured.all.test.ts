/** What the commands of the audio plugin make, measured: bit rates, loudness, speech, and files that end too early. */
import { readFile } from 'node:fs/promises'
import t from 'tap'
import { ffmpeg, program } from '../../fixtures/program.ts'
import { studio } from '../../harness/studio.ts'
import { decodeSound } from '../../matrix/sound.ts'
import { film, moving, sounding, told } from '../films.ts'

t.setTimeout(60 * 60_000)
const { convert, failure, folder, ...rest } = await studio()
t.teardown(() => rest[Symbol.asyncDispose]())

const formatOf = (path: string) => path.slice(path.lastIndexOf('.') + 1)
const made = async (source: string, to: string, options = {}) =>
  (await convert(source, `${formatOf(source)}>${to}`, options)).path
const make = (format: string, ...args: (string | number)[]) => film(folder, format, ...args)
const wav = await make('wav', ...sounding(2))

t.test('bit rates', async (t) => {
  for (const [to, bitrate, expected] of [
    ['mp3', 8, 32],
    ['mp3', 512, 320],
    ['mp2', 256, 256],
    ['ac3', 100, 96],
    ['wma', 64, 64],
  ] as const) {
    const { sound } = await told(await made(wav, to, { bitrate }))
    const rate = Number(sound.bit_rate) / 1000
    t.ok(Math.abs(rate - expected) < expected * 0.05, `${to} ${bitrate}: ${rate} kbit/s, ${expected} wanted`)
  }
  for (const to of ['ogg', 'opus', 'weba', 'aac', 'm4b', 'm4r']) {
    const [small, large] = await Promise.all([32, 256].map((bitrate) => convert(wav, `wav>${to}`, { bitrate })))
    t.ok(small!.bytes.length < large!.bytes.length, `${to}: ${small!.bytes.length} and ${large!.bytes.length} bytes`)
  }
  // 50 frames a second: 7.95 and 12.2 kbit/s, rounded to whole bytes.
  for (const [bitrate, frame] of [
    [8, 21],
    [12, 32],
  ] as const)
    t.equal((await convert(wav, 'wav>amr', { bitrate })).bytes.length, 6 + 100 * frame)
})

t.test('a large cover that is not JPEG, in tags and attachments', async (t) => {
  const coverOf = (path: string) => ffmpeg('-i', path, '-map', '0:v', '-c', 'copy', '-f', 'image2pipe', '-')
  const noise = ['-f', 'lavfi', '-i', 'color=gray:s=900x900:r=1:d=1', '-vf', 'noise=alls=100', '-frames:v', 1]
  const streams = ['-map', 0, '-map', 1, '-c:v', 'copy', '-disposition:v', 'attached_pic']
  const source = await make('flac', ...sounding(), '-i', await make('png', ...noise, '-c:v', 'png'), ...streams)
  for (const to of ['ogg', 'opus', 'mka'])
    t.ok((await coverOf(await made(source, to))).equals(await coverOf(source)), to)
})

/** Integrated loudness in LUFS by EBU R 128. */
async function loudness(path: string): Promise<number> {
  const graph = `amovie=${path},ebur128=metadata=1`
  const entry = ['-show_entries', 'frame_tags=lavfi.r128.I', '-of', 'csv=p=0']
  const printed = await program('ffprobe', '-v', 'error', '-f', 'lavfi', '-i', graph, ...entry)
  return Number(printed.toString().trim().split('\n').at(-1))
}

t.test('loudness', async (t) => {
  // Two noises with rising volume. The peaks of the first leave room for its gain, those of the second do not.
  const growing = (seed: number) =>
    make(
      'wav',
      '-f',
      'lavfi',
      '-i',
      `anoisesrc=c=pink:a=0.5:d=8:r=44100:seed=${seed}`,
      '-af',
      'volume=0.02+t/16:eval=frame',
    )
  const sources = {
    quiet: await make('wav', ...sounding(5, 2, 48_000, 0.003)),
    loud: await make('wav', '-f', 'lavfi', '-i', 'anoisesrc=c=pink:a=0.9:d=5:r=48000:seed=1'),
    speech: await make('mp3', ...sounding(5, 1, 8000, 0.02)),
    surround: await make('flac', ...sounding(5, 6, 48_000, 0.02)),
    roomy: await growing(39_595),
    peaky: await growing(7919),
  }
  for (const [name, source] of Object.entries(sources))
    for (const [to, options] of [['opus'], ['aiff'], ['au', { channels: 1 }]] as const) {
      const level = await loudness(await made(source, to, { normalize: true, ...options }))
      t.ok(Math.abs(level + 16) <= 0.5, `${name} to ${to}: ${level} LUFS`)
    }
  for (const [seconds, source] of [
    [2, await make('wav', '-f', 'lavfi', '-i', 'anullsrc=d=2')],
    [0.2, await make('wav', ...sounding(0.2, 1, 44_100, 0.1))],
  ] as const) {
    const { seconds: lasts } = await told(await made(source, 'flac', { normalize: true }))
    t.ok(Math.abs(lasts - seconds) < 0.01, `${lasts} s of silence, or of a blink`)
  }
})

t.test('smaller files sound the same', async (t) => {
  const decoded = async (path: string) => (await ffmpeg('-i', path, '-map', '0:a', '-f', 'md5', '-')).toString()
  for (const source of [
    await make('mp3', ...sounding(2), '-c:a', 'libmp3lame'),
    await make('m4a', ...sounding(2)),
    await make('ogg', ...sounding(2), '-c:a', 'libvorbis'),
    await make('flac', ...sounding(2), '-sample_fmt', 's32', '-compression_level', 0),
  ]) {
    const path = await made(source, formatOf(source))
    t.equal(await decoded(path), await decoded(source), formatOf(source))
    const before = await readFile(path)
    t.ok(
      (await convert(path, `${formatOf(source)}>${formatOf(source)}`)).bytes.length <= before.length,
      'and never grow',
    )
  }
})

t.test('silence in speech keeps its duration', async (t) => {
  /** A second of tone, four of silence, a second of tone. */
  const pauses = await make('wav', '-f', 'lavfi', '-i', 'aevalsrc=0.3*sin(2*PI*440*t)*(lt(t\\,1)+gt(t\\,5)):s=8000:d=6')
  const amr = `${folder}/pauses.amr`
  await program('sox', pauses, '-t', 'amr-nb', '-C', 7, amr)
  const streams = ['-map', 0, '-map', 1, '-c:a', 'copy', '-c:v', 'h263']
  const phone = await make('3gp', ...moving('176x144', 6, 10), '-i', amr, ...streams)
  for (const [source, to] of [
    [pauses, 'amr'],
    [amr, 'wav'],
    [amr, 'm4a'],
    [phone, 'wav'],
    [phone, 'mp4'],
    [phone, 'avi'],
  ] as const) {
    const { channels, rate } = await decodeSound(await made(source, to), to)
    const seconds = channels[0]!.length / rate
    t.ok(Math.abs(seconds - 6) < 0.2, `${formatOf(source)} to ${to}: ${seconds} s`)
  }
})

/** Matches a message without file names and program output. */
const human = /^(?!.*[/\\])(?!.*(ffmpeg|undefined|Error))[A-Z].{10,}$/

t.test('playlists and scripts under another name cannot open other files', async (t) => {
  for (const text of [
    '#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n',
    'ffconcat version 1.0\nfile /etc/passwd\n',
    'v=0\no=- 0 0 IN IP4 127.0.0.1\nc=IN IP4 127.0.0.1\nm=audio 9 RTP/AVP 0\n',
    ';FFMETADATA1\ntitle=x\n',
  ])
    for (const from of ['mp4', 'mkv', 'mp3', 'ogg', 'ts', 'aac']) {
      const { code, message } = await failure(Buffer.from(text), `${from}>flac`)
      t.equal(code, 'CONVERSION_ERROR', `${text.slice(0, 9)} as ${from}`)
      t.match(message, human)
    }
})

t.test('sound that nothing here decrypts or decodes is refused', async (t) => {
  const key = ['-encryption_scheme', 'cenc-aes-ctr', '-encryption_key', '76a6c65c5ea762046bd749a2e632ccbb']
  const locks = [...key, '-encryption_kid', 'a7e61c373e219033c21091fa607bf3b8']
  const locked = await make('mp4', ...moving(), ...sounding(), ...locks)
  for (const to of ['mkv', 'mp3', 'mp4', 'gif'])
    t.equal((await failure(locked, `mp4>${to}`)).code, 'ENCRYPTED_INPUT', to)
  const song = await readFile(await make('m4a', ...sounding()))
  // The decoder's settings (ISO/IEC 14496-3, AudioSpecificConfig) begin with the object type: 42 instead of 2.
  const odd = Buffer.from(song)
  odd.writeUInt16BE(0xf948, odd.indexOf(Buffer.from('0580808005', 'hex')) + 5)
  const message = 'The sound is in xHE-AAC (USAC), which cannot be decoded'
  t.same(await failure(odd, 'm4a>flac'), { code: 'CONVERSION_ERROR', message })
  song.write('drms', song.indexOf('mp4a', song.indexOf('stsd')))
  t.equal((await failure(song, 'm4a>mp3')).code, 'ENCRYPTED_INPUT', 'as shops sold them')
})

t.test('a file that ends too early is refused if it tells its duration, and none hangs', async (t) => {
  for (const pair of ['mp4>mkv', 'mp4>mp3', 'mkv>mp4', 'webm>mkv', 'm4a>mp3', 'flac>ogg', 'aiff>flac', 'tta>wav']) {
    const format = pair.slice(0, pair.indexOf('>'))
    const pictures = ['mp4', 'mkv', 'webm'].includes(format) ? moving('160x120', 5) : []
    const codecs = format === 'webm' ? ['-c:v', 'libvpx', '-deadline', 'realtime'] : []
    const front = ['mp4', 'm4a'].includes(format) ? ['-movflags', '+faststart'] : []
    const whole = await readFile(await make(format, ...pictures, ...sounding(5), ...codecs, ...front))
    const { code, message } = await failure(whole.subarray(0, whole.length * 0.6), pair)
    t.equal(code, 'CONVERSION_ERROR', pair)
    t.match(message, /^The file is incomplete: it breaks off after [1-4]\.\d of \d\.\d seconds$/)
    for (let at = whole.length >> 1; at < whole.length; at += 211) whole[at]! ^= 0x5a
    t.match((await failure(whole, pair)).code, /^(CONVERSION_ERROR|made \d+ bytes)$/, `damaged ${format}`)
  }
})
