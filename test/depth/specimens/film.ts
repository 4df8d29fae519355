import { writeFile } from 'node:fs/promises'
import { program } from '../../fixtures/program.ts'
import type { Specimen } from '../family.ts'
import { older } from './film-older.ts'
import { aac, filmed, flags, h264, refilmed, titled, withTitle } from './film-scene.ts'

const h265 = flags('-c:v libx265 -crf 20 -preset veryfast -pix_fmt yuv420p -x265-params log-level=error')
const both = ['-map', 0, '-map', 1, '-map', 2]
const languages = ['-metadata:s:a:0', 'language=deu', '-metadata:s:a:1', 'language=fra']

const cues = '1\n00:00:00,200 --> 00:00:00,900\nFirst línea\n\n2\n00:00:01,000 --> 00:00:02,000\nSecond <i>line</i>\n\n'
const told = { subtitles: [{ language: 'en', text: ['First línea', 'Second line'], starts: [0.2, 1] }] }
const points =
  ';FFMETADATA1\n' +
  ['Anfang', 'Blitz']
    .map((name, at) => `[CHAPTER]\nTIMEBASE=1/1000\nSTART=${at * 1000}\nEND=${at ? 2400 : 1000}\ntitle=${name}\n`)
    .join('')
const named = { chapters: ['Anfang', 'Blitz'].map((name, start) => ({ start, name })) }

/** Adds chapters and subtitles to a film, with ffmpeg. */
const described = (name: string, of: Specimen, text: string, muxer: readonly string[]): Specimen =>
  refilmed(
    of,
    name,
    'FFmpeg',
    async (input, output, scratch) => {
      await writeFile(`${scratch}/in.srt`, cues)
      await writeFile(`${scratch}/in.meta`, points)
      const inputs = ['-i', input, '-i', `${scratch}/in.srt`, '-i', `${scratch}/in.meta`]
      const parts = flags(`-map 0 -map 1 -map_chapters 2 -c copy -c:s ${text} -metadata:s:s:0 language=eng`)
      await program('ffmpeg', '-v', 'error', '-y', ...inputs, ...parts, ...muxer, output)
    },
    { truth: { ...told, ...named } },
  )

/** By mkvmerge, with chapters, subtitles and a title. */
const merged = (name: string, of: Specimen, options: readonly string[] = []) =>
  refilmed(
    of,
    name,
    'MKVToolNix',
    async (input, output, scratch) => {
      await writeFile(`${scratch}/in.srt`, cues)
      await writeFile(
        `${scratch}/in.txt`,
        'CHAPTER01=00:00:00.000\nCHAPTER01NAME=Anfang\nCHAPTER02=00:00:01.000\nCHAPTER02NAME=Blitz\n',
      )
      const more = name.endsWith('webm') ? [] : ['--language', '0:eng', `${scratch}/in.srt`]
      const about = ['--title', titled.truth.title, '--chapters', `${scratch}/in.txt`]
      await program('mkvmerge', '-q', ...options, ...about, '-o', output, input, ...more)
    },
    { truth: { ...named, ...titled.truth, ...(!name.endsWith('webm') && told) } },
  )

const plain = filmed('plain.mp4', [...h264, ...aac, ...withTitle, '-movflags', '+faststart'], {}, titled)
/** Stored on its side. ffmpeg counts the degrees against the clock. */
const turned = (name: string, turn: 90 | 270) =>
  refilmed(filmed(name, [...h264, ...aac], { turn, rate: '30' }), name, 'FFmpeg', (input, output) =>
    program('ffmpeg', '-v', 'error', '-i', input, '-c', 'copy', '-metadata:s:v:0', `rotate=${360 - turn}`, output),
  )
const speech = { truth: { languages: ['de', 'fr'] } }
const vp8 = ['-c:v', 'libvpx', '-crf', 8, '-b:v', '2M', '-cpu-used', 8]
const vp9 = ['-c:v', 'libvpx-vp9', '-crf', 20, '-b:v', 0, '-deadline', 'realtime', '-cpu-used', 8]

/** Specimens of films that most people have. */
const common: readonly Specimen[] = [
  plain,
  turned('portrait.mp4', 90),
  filmed('languages.mp4', [...both, ...h265, '-tag:v', 'hvc1', ...aac, ...languages], { second: true }, speech),
  filmed('fragments.mp4', [...h264, ...aac, '-movflags', 'frag_keyframe+empty_moov'], { rate: '30000/1001' }),
  filmed('old.mp4', ['-c:v', 'mpeg4', '-q:v', 2, '-c:a', 'libmp3lame'], { rate: '30' }),
  filmed('surround.mp4', [...h264, '-bf', 3, '-c:a', 'ac3'], { channels: 6 }),
  described('described.mp4', filmed('in.mp4', [...h264, ...aac]), 'mov_text', []),
  filmed('silent.mp4', [...h264, '-pix_fmt', 'yuv444p'], { channels: 0 }),
  filmed('prores.mov', [...flags('-c:v prores_ks -c:a pcm_s16le'), ...withTitle], {}, titled),
  turned('portrait.mov', 270),
  filmed('camera.mov', flags('-c:v mjpeg -q:v 2 -pix_fmt yuvj422p -c:a pcm_s16be'), { channels: 1, rate: '30' }),
  described('described.mov', filmed('in.mov', [...h264, ...aac]), 'mov_text', []),
  merged('merged.mkv', plain),
  filmed('lossless.mkv', ['-c:v', 'ffv1', '-c:a', 'flac'], { channels: 6 }),
  filmed('wide.mkv', [...vp9, '-c:a', 'libopus', '-vf', 'setsar=4/3'], { pixel: 4 / 3, rate: '24000/1001' }),
  filmed('languages.mkv', [...both, ...h264, '-c:a', 'ac3', ...languages], { second: true }, speech),
  described('described.mkv', filmed('in.mkv', ['-c:v', 'mpeg4', '-q:v', 2, '-c:a', 'libvorbis', '-ac', 2]), 'ass', []),
  filmed('vp8.webm', [...vp8, '-c:a', 'libvorbis', ...withTitle], {}, titled),
  filmed('vp9.webm', [...vp9, '-c:a', 'libopus'], { channels: 1, rate: '30' }),
  merged('merged.webm', filmed('in.webm', [...vp9, '-c:a', 'libopus']), ['--webm']),
  filmed('av1.webm', flags('-c:v libaom-av1 -crf 20 -cpu-used 8 -usage realtime -c:a libopus'), { rate: '10' }),
  filmed('xvid.avi', [...flags('-c:v mpeg4 -vtag XVID -q:v 2 -c:a libmp3lame'), ...withTitle], {}, titled),
  filmed('camera.avi', ['-c:v', 'mjpeg', '-q:v', 2, '-c:a', 'pcm_u8'], { channels: 1, rate: '15' }),
  filmed('dolby.avi', [...h264, '-bf', 0, '-c:a', 'ac3'], { rate: '30000/1001', channels: 6 }),
  filmed('raw.avi', ['-c:v', 'rawvideo', '-pix_fmt', 'bgr24', '-c:a', 'pcm_s16le'], { rate: '25' }),
]

/** Specimens of films. */
export const films: readonly Specimen[] = [...common, ...older]
