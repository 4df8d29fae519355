import { demuxers } from '../../engines/ffmpeg/demuxers.ts'
import { ffmpeg } from '../../engines/ffmpeg.ts'
import { ffprobe } from '../../engines/ffprobe.ts'
import { subtitleText } from '../../engines/subtitle-text.ts'
import type { Plugin, Step } from '../../kernel/contract.ts'
import { type SubtitleOptions, tracksIn } from './tracks.ts'

/** FFmpeg's names of each format: its demuxer, its encoder and its muxer. */
const names: Readonly<Record<string, readonly [demuxer: string, encoder: string, muxer: string]>> = {
  srt: ['srt', 'subrip', 'srt'],
  vtt: ['webvtt', 'webvtt', 'webvtt'],
  ass: ['ass', 'ass', 'ass'],
}
const texts = Object.keys(names)

/** Videos that can contain tracks of text, and that FFmpeg reads with one demuxer. */
const films = ['mkv', 'mp4', 'webm', 'mov']

const written = (to: string) => ['-c:s', names[to]![1], '-f', names[to]![2]]

/** FFmpeg writes the size of the default style around each text. */
const tidied: Step<SubtitleOptions> = { engine: subtitleText, when: { to: ['srt'] }, args: ({ to }) => [to] }

/** Subtitles: from one format to another, and out of videos. */
export default {
  category: 'subtitle',
  formats: {
    srt: {
      mime: 'application/x-subrip',
      label: 'SubRip',
      text: 'marked',
      // A number, and a line with two times. Some makers leave out the number or the fractions, or write a dot.
      marks: [/^(\d+[ \t]*(\r\n?|\n))?\d{1,3}:\d\d:\d\d([,.]\d{1,3})?[ \t]*-->[ \t]*\d{1,3}:\d\d:\d\d\b/],
    },
    vtt: { mime: 'text/vtt', label: 'WebVTT', text: 'marked', marks: [/^WEBVTT(?=\s|$)/] },
    ass: {
      mime: 'text/x-ssa',
      label: 'Advanced SubStation Alpha',
      text: 'marked',
      aliases: ['ssa'],
      marks: [/^\[Script Info\]/i],
    },
  },
  options: {
    track: {
      title: 'Subtitle track',
      type: 'integer',
      minimum: 1,
      maximum: 100,
      default: 1,
      description: 'Which track of text in a video, counted from 1.',
    },
  },
  wanted: texts,
  routes: [
    {
      from: texts,
      to: texts,
      steps: [
        { engine: subtitleText, args: ({ from }) => [from], output: 'unicode.{from}' },
        {
          engine: ffmpeg,
          args: ({ from, to }) => ['-f', names[from]![0], '-i', '-map', '0:s:0', ...written(to)],
          output: 'made.{to}',
        },
        tidied,
      ],
    },
    {
      from: films,
      to: texts,
      steps: [
        {
          engine: ffprobe,
          args: ({ from }) => ['-f', demuxers[from]![0], '-show_entries', 'stream=index,codec_type,codec_name'],
          facts: tracksIn,
          output: false,
        },
        {
          engine: ffmpeg,
          args: ({ from, to }, { facts }) => [
            '-f',
            demuxers[from]![0],
            '-i',
            '-map',
            `0:${facts.more?.stream}`,
            ...written(to),
          ],
          output: 'made.{to}',
        },
        tidied,
      ],
    },
  ],
} satisfies Plugin<SubtitleOptions>
