/** What the commands of the audio plugin make, measured: bit rates, loudness, speech, and files that end too early. */
import { readFile } from 'node:fs/promises'
import t from 'tap'
import { program } from '../../fixtures/program.ts'
import { decodeSound } from '../../matrix/sound.ts'
import { bare } from '../bare.ts'
import { film, moving, sounding, told } from '../films.ts'

t.setTimeout(60 * 60_000)
const { convert, failure, folder } = await bare(t, ['audio', 'video'])

const formatOf = (path: string) => path.slice(path.lastIndexOf('.') + 1)
const made = async (source: string, to: string, options = {}) =>
  (await convert(source, `${formatOf(source)}>${to}`, options)).path
const make = (format: string, ...args: (string | number)[]) => film(folder, format, ...args)

/** Integrated loudness in LUFS by EBU R 128. */
async function loudness(path: string): Promise<number> {
  const graph = `amovie=${path},ebur128=metadata=1`
  const entry = ['-show_entries', 'frame_tags=lavfi.r128.I', '-of', 'csv=p=0']
  const printed = await program('ffprobe', '-v', 'error', '-f', 'lavfi', '-i', graph, ...entry)
  return Number(printed.toString().trim().split('\n').at(-1))
}

t.test('loudness', async (t) => {
  // Two noises with rising volume. The peaks of the first leave room for its gain, those of the second do not.
  const growing = (seed: number) => {
    const noise = ['-f', 'lavfi', '-i', `anoisesrc=c=pink:a=0.5:d=8:r=44100:seed=${seed}`]
    return make('wav', ...noise, '-af', 'volume=0.02+t/16:eval=frame')
  }
  const sources = {
    quiet: await make('wav', ...sounding(5, 2, 48_000, 0.003)),
    loud: await make('wav', '-f', 'lavfi', '-i', 'anoisesrc=c=pink:a=0.9:d=5:r=48000:seed=1'),
    roomy: await growing(39_595),
    peaky: await growing(7919),
  }
  for (const [name, source] of Object.entries(sources))
    for (const [to, options] of [['opus'], ['au', { channels: 1 }]] as const) {
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
    for (const from of ['mp4', 'mkv', 'mp3', 'ogg']) {
      const { code, message } = await failure(Buffer.from(text), `${from}>flac`)
      t.equal(code, 'CONVERSION_ERROR', `${text.slice(0, 9)} as ${from}`)
      t.match(message, human)
    }
})

t.test('sound that nothing here decrypts or decodes is refused', async (t) => {
  const key = ['-encryption_scheme', 'cenc-aes-ctr', '-encryption_key', '76a6c65c5ea762046bd749a2e632ccbb']
  const locks = [...key, '-encryption_kid', 'a7e61c373e219033c21091fa607bf3b8']
  const locked = await make('mp4', ...moving(), ...sounding(), ...locks)
  for (const to of ['mkv', 'mp3', 'mp4']) t.equal((await failure(locked, `mp4>${to}`)).code, 'ENCRYPTED_INPUT', to)
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
  for (const pair of ['mp4>mkv', 'mkv>mp4', 'm4a>mp3', 'flac>ogg', 'aiff>flac']) {
    const format = pair.slice(0, pair.indexOf('>'))
    const pictures = ['mp4', 'mkv'].includes(format) ? moving('160x120', 5) : []
    const front = ['mp4', 'm4a'].includes(format) ? ['-movflags', '+faststart'] : []
    const whole = await readFile(await make(format, ...pictures, ...sounding(5), ...front))
    const { code, message } = await failure(whole.subarray(0, whole.length * 0.6), pair)
    t.equal(code, 'CONVERSION_ERROR', pair)
    t.match(message, /^The file is incomplete: it breaks off after [1-4]\.\d of \d\.\d seconds$/)
    for (let at = whole.length >> 1; at < whole.length; at += 211) whole[at]! ^= 0x5a
    t.match((await failure(whole, pair)).code, /^(CONVERSION_ERROR|made \d+ bytes)$/, `damaged ${format}`)
  }
})
