/** Files that are not what their name says, that need a key, or that are truncated. */
import { readFile } from 'node:fs/promises'
import t from 'tap'
import { moving, sounding, studio } from './studio.ts'

t.setTimeout(60 * 60_000)
const { failure, film, file, catalogue, ...rest } = await studio()
t.teardown(() => rest[Symbol.asyncDispose]())

/** Matches a message without file names and program output. */
const human = /^(?!.*[/\\])(?!.*(ffmpeg|undefined|Error))[A-Z].{10,}$/

t.test('playlists and scripts under another name cannot open other files', async (t) => {
  const texts = {
    hls: '#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n',
    concat: 'ffconcat version 1.0\nfile /etc/passwd\n',
    sdp: 'v=0\no=- 0 0 IN IP4 127.0.0.1\nc=IN IP4 127.0.0.1\nm=audio 9 RTP/AVP 0\n',
    meta: ';FFMETADATA1\ntitle=x\n',
  }
  for (const [name, text] of Object.entries(texts))
    for (const from of ['mp4', 'mkv', 'avi', 'mp3', 'wav', 'ogg', 'ts', 'mpg', 'aac', 'amr']) {
      const { code, message } = await failure(await file(from, text), 'flac')
      t.equal(code, 'CONVERSION_ERROR', `${name} as ${from}`)
      t.match(message, human)
    }
})

t.test('encrypted files are reported as such', async (t) => {
  const key = ['-encryption_scheme', 'cenc-aes-ctr', '-encryption_key', '76a6c65c5ea762046bd749a2e632ccbb']
  const locks = [...key, '-encryption_kid', 'a7e61c373e219033c21091fa607bf3b8']
  const locked = await film('mp4', ...moving(), ...sounding(), ...locks)
  const song = await film('m4a', ...sounding(), '-c:a', 'aac', '-f', 'mp4', ...locks)
  for (const [source, to] of [
    [locked, 'mkv'],
    [locked, 'mp3'],
    [locked, 'mp4'],
    [locked, 'gif'],
    [song, 'wav'],
    [song, 'm4a'],
  ] as const)
    t.equal((await failure(source, to)).code, 'ENCRYPTED_INPUT', to)
  const shop = await readFile(await film('m4a', ...sounding()))
  shop.write('drms', shop.indexOf('mp4a', shop.indexOf('stsd')))
  t.equal((await failure(await file('m4a', shop), 'mp3')).code, 'ENCRYPTED_INPUT', 'as shops sold them')
})

t.test('sound that nothing here decodes is refused by its name', async (t) => {
  const song = await readFile(await film('m4a', ...sounding()))
  // The decoder's settings (ISO/IEC 14496-3, AudioSpecificConfig) begin with the object type: 42 instead of 2.
  const at = song.indexOf(Buffer.from('0580808005', 'hex')) + 5
  song.writeUInt16BE(0xf948, at)
  for (const to of ['mp3', 'flac'])
    t.match(await failure(await file('m4a', song), to), {
      code: 'CONVERSION_ERROR',
      message: 'The sound is in xHE-AAC (USAC), which cannot be decoded',
    })
})

t.test('files without audio or video', async (t) => {
  const silent = await film('mp4', ...moving())
  t.match(await failure(silent, 'mp3'), { code: 'CONVERSION_ERROR', message: /no sound/ })
  const blind = await film('mp4', ...sounding())
  t.match(await failure(blind, 'webm'), { code: 'CONVERSION_ERROR', message: /No video/ })
  t.match(await failure(blind, 'gif'), { code: 'CONVERSION_ERROR', message: /No video/ })
  for (const to of ['mp4', 'webm', 'avi'])
    t.throws(() => catalogue.find('mp3', to, 'convert'), { code: 'UNSUPPORTED_FORMAT' })
})

t.test('truncated files are refused or end early, and nothing hangs', async (t) => {
  for (const [format, to] of [
    ['mp4', 'mkv'],
    ['mkv', 'mp4'],
    ['avi', 'webm'],
    ['wav', 'mp3'],
    ['flac', 'ogg'],
    ['ogg', 'mp3'],
    ['mp3', 'wav'],
  ] as const) {
    const pictures = ['mp4', 'mkv', 'avi'].includes(format) ? moving() : []
    const whole = await readFile(await film(format, ...pictures, ...sounding()))
    for (const part of [0.01, 0.6]) {
      const { code, message } = await failure(await file(format, whole.subarray(0, whole.length * part)), to)
      t.match(code, /^(CONVERSION_ERROR|made \d+ bytes)$/, `${part * 100} % of a ${format}`)
      if (code === 'CONVERSION_ERROR') t.match(message, human)
    }
    const damaged = Buffer.from(whole)
    for (let at = damaged.length >> 1; at < damaged.length; at += 211) damaged[at]! ^= 0x5a
    t.match((await failure(await file(format, damaged), to)).code, /^(CONVERSION_ERROR|made \d+ bytes)$/, format)
  }
})

t.test('a truncated file is refused if it states its duration', async (t) => {
  for (const [format, to] of [
    ['mp4', 'mkv'],
    ['mp4', 'webm'],
    ['mp4', 'mp3'],
    ['mov', 'avi'],
    ['mkv', 'mp4'],
    ['webm', 'mkv'],
    ['m4a', 'mp3'],
    ['m4a', 'mka'],
    ['flac', 'ogg'],
    ['aiff', 'flac'],
    ['tta', 'wav'],
  ] as const) {
    const pictures = ['mp4', 'mov', 'mkv', 'webm'].includes(format) ? moving('160x120', 5) : []
    const codecs = format === 'webm' ? ['-c:v', 'libvpx', '-deadline', 'realtime'] : []
    const front = ['mp4', 'mov', 'm4a'].includes(format) ? ['-movflags', '+faststart'] : []
    const whole = await readFile(await film(format, ...pictures, ...sounding(5), ...codecs, ...front))
    const { code, message } = await failure(await file(format, whole.subarray(0, whole.length * 0.6)), to)
    t.equal(code, 'CONVERSION_ERROR', `${format} to ${to}`)
    t.match(message, /^The file is incomplete: it breaks off after [1-4]\.\d of \d\.\d seconds$/)
  }
})

t.test('an endless picture reaches a limit or is refused', async (t) => {
  const whole = await readFile(await film('mp4', ...moving()))
  // The track claims a width and height of 65,535 pixels.
  const at = whole.indexOf('avc1', whole.indexOf('stsd'))
  whole.writeUInt16BE(0xffff, at + 28)
  whole.writeUInt16BE(0xffff, at + 30)
  t.match((await failure(await file('mp4', whole), 'webm')).code, /^(CONVERSION_ERROR|RESOURCE_LIMIT|made \d+ bytes)$/)
})
