/** Each audio option, measured by ffprobe in the result. */
import t from 'tap'
import { moving, sounding, studio } from './studio.ts'

t.setTimeout(60 * 60_000)
const { convert, film, packets, ...rest } = await studio()
t.teardown(() => rest[Symbol.asyncDispose]())

const wav = await film('wav', ...sounding(2))
const surround = await film('flac', ...sounding(2, 6, 48_000))

t.test('bit rates', async (t) => {
  const cases: [string, number, number][] = [
    ['mp3', 128, 128],
    ['mp3', 8, 32],
    ['mp3', 512, 320],
    ['mp2', 8, 64],
    ['mp2', 256, 256],
    ['ac3', 100, 96],
    ['ac3', 512, 512],
    ['aac', 64, 64],
    ['m4a', 96, 96],
    ['wma', 64, 64],
    ['wma', 8, 24],
  ]
  for (const [to, bitrate, expected] of cases) {
    const { path, sound } = await convert(wav, to, { bitrate })
    t.ok(sound.codec_name, path)
    const told = Number(sound.bit_rate) / 1000
    // Tones need less than the bit rate given to AAC.
    if (to === 'aac' || to === 'm4a') t.ok(told <= expected * 1.1, `${to} ${bitrate}: ${told}`)
    else t.ok(Math.abs(told - expected) < expected * 0.05, `${to} ${bitrate}: ${told} kbit/s, ${expected} wanted`)
  }
  for (const to of ['ogg', 'opus', 'weba', 'spx', 'aac', 'm4b', 'm4r']) {
    const [small, large] = [await convert(wav, to, { bitrate: 32 }), await convert(wav, to, { bitrate: 256 })]
    if (to === 'spx') t.ok(small.size <= large.size)
    else t.ok(small.size < large.size, `${to}: ${small.size} and ${large.size} bytes`)
  }
  for (const to of ['flac', 'aiff', 'wv'])
    t.equal((await convert(wav, to, { bitrate: 32 })).size, (await convert(wav, to)).size, `${to} ignores it`)
  const [slow, fast] = [await convert(wav, 'amr', { bitrate: 8 }), await convert(wav, 'amr')]
  // 50 frames a second: 7.95 and 12.2 kbit/s, rounded to whole bytes.
  t.same([slow.size, fast.size], [6 + 100 * 21, 6 + 100 * 32])
})

t.test('sample rates: the next lower one that the codec supports', async (t) => {
  const cases: [string, number | undefined, number][] = [
    ['mp3', 22_050, 22_050],
    ['mp3', 96_000, 48_000],
    ['wav', 96_000, 96_000],
    ['flac', 192_000, 192_000],
    ['ogg', 11_025, 11_025],
    ['aac', 88_200, 88_200],
    ['opus', 8000, 48_000],
    ['weba', undefined, 48_000],
    ['spx', 44_100, 32_000],
    ['spx', undefined, 32_000],
    ['spx', 12_000, 8000],
    ['ac3', 22_050, 32_000],
    ['ac3', 88_200, 48_000],
    ['mp2', 12_000, 16_000],
    ['wma', 24_000, 22_050],
    ['amr', 48_000, 8000],
    ['tta', 96_000, 96_000],
    ['m4r', 8000, 16_000],
  ]
  for (const [to, sampleRate, expected] of cases) {
    const { sound, seconds } = await convert(wav, to, sampleRate ? { sampleRate } : {})
    t.equal(Number(sound.sample_rate), expected, `${to} at ${sampleRate}`)
    t.ok(Math.abs(seconds - 2) < 0.15, `${seconds} s`)
  }
})

t.test('channels can be mixed down, but are never added', async (t) => {
  const cases: [string, string, number | undefined, number][] = [
    [surround, 'mp3', undefined, 2],
    [surround, 'wav', undefined, 6],
    [surround, 'ac3', undefined, 6],
    [surround, 'm4a', 6, 6],
    [surround, 'opus', undefined, 6],
    [surround, 'ogg', 2, 2],
    [surround, 'm4b', 6, 2],
    [surround, 'amr', undefined, 1],
    [surround, 'aac', 1, 1],
    [surround, 'spx', undefined, 2],
    [wav, 'flac', 6, 2],
    [wav, 'mp3', 1, 1],
  ]
  for (const [source, to, channels, expected] of cases) {
    const { sound } = await convert(source, to, channels ? { channels } : {})
    t.equal(sound.channels, expected, `${to} ${channels}`)
  }
})

t.test('only compatible streams are copied', async (t) => {
  const mp4 = await film('mp4', ...moving(), ...sounding(), '-c:a', 'aac', '-b:a', '64k')
  const mkv = await film('mkv', ...moving(), ...sounding(), '-c:a', 'libmp3lame')
  const same: [string, string, object][] = [
    [mp4, 'm4a', {}],
    [mp4, 'm4a', { sampleRate: 44_100, channels: 2 }],
    [mp4, 'm4b', {}],
    [mp4, 'mka', {}],
    [mkv, 'mp3', {}],
  ]
  for (const [source, to, options] of same)
    t.equal(
      await packets((await convert(source, to, options)).path, 'a'),
      await packets(source, 'a'),
      `copied to ${to}`,
    )
  for (const options of [{ bitrate: 160 }, { sampleRate: 22_050 }, { channels: 1 }, { normalize: true }])
    t.not(
      await packets((await convert(mp4, 'm4a', options)).path, 'a'),
      await packets(mp4, 'a'),
      JSON.stringify(options),
    )
  t.ok((await convert(mp4, 'm4r')).seconds < 1.2)
  const long = await film('mp3', ...sounding(45, 1, 16_000))
  t.ok(Math.abs((await convert(long, 'm4r')).seconds - 40) < 0.2, 'a ringtone ends after 40 seconds')
})

t.test('depth, tags and chapters', async (t) => {
  const deep = await film('wav', ...sounding(), '-c:a', 'pcm_s24le')
  for (const [to, codec, bits] of [
    ['flac', 'flac', '24'],
    ['aiff', 'pcm_s24be', undefined],
    ['caf', 'pcm_s24le', undefined],
    ['wv', 'wavpack', '24'],
    ['tta', 'tta', '24'],
  ] as const) {
    const { sound } = await convert(deep, to)
    t.equal(sound.codec_name, codec)
    if (bits) t.ok(Number(sound.bits_per_raw_sample) >= Number(bits), `${to} has ${sound.bits_per_raw_sample} bits`)
  }
  const lossy = await film('mp3', ...sounding())
  t.equal((await convert(lossy, 'flac')).sound.bits_per_raw_sample, '16')
  const meta = `;FFMETADATA1\ntitle=Buch Ω\nartist=Ada\n${[0, 1].map((n) => `[CHAPTER]\nTIMEBASE=1/1000\nSTART=${n * 1000}\nEND=${n * 1000 + 1000}\ntitle=Teil ${n}\n`).join('')}`
  const book = await film('m4b', ...sounding(2), '-i', await rest.file('txt', meta), '-map_metadata', 1, '-f', 'ipod')
  for (const to of ['mp3', 'm4a', 'mka', 'opus']) {
    const { tags, chapters } = await convert(book, to)
    const lower = Object.fromEntries(Object.entries(tags).map(([name, value]) => [name.toLowerCase(), value]))
    t.match(lower, { title: 'Buch Ω', artist: 'Ada' }, to)
    t.same(
      chapters.map((chapter) => chapter.tags.title),
      ['Teil 0', 'Teil 1'],
      `${to} has chapters`,
    )
  }
  const ogg = await film('ogg', ...sounding(), '-c:a', 'libvorbis', '-metadata', 'title=Ω', '-metadata', 'album=B')
  for (const to of ['mp3', 'opus', 'flac', 'm4a', 'wma']) {
    const { tags } = await convert(ogg, to)
    const lower = Object.fromEntries(Object.entries(tags).map(([name, value]) => [name.toLowerCase(), value]))
    t.match(lower, { title: 'Ω', album: 'B' }, `from the stream of ogg to ${to}`)
  }
})

t.test('progress comes from the engine', async (t) => {
  const long = await film('wav', ...sounding(300, 2, 48_000))
  const { progress } = await convert(long, 'mp3', { normalize: true })
  t.ok(progress.length > 2, `${progress.length} reports`)
  t.ok(
    progress.every((value, index) => value > 0 && value <= 1 && value >= (progress[index - 1] ?? 0)),
    'never falls',
  )
  t.ok(progress.some((value) => value < 0.5) && progress.some((value) => value > 0.5), 'both passes count')
})
