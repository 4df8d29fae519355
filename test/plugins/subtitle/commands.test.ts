/** What the subtitle plugin runs, without running it. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import plugin from '../../../plugins/subtitle/index.ts'
import { program } from '../../fixtures/program.ts'
import { folderOf } from '../../harness/folder.ts'
import { agree, linesOf, probed } from '../routes.ts'

const text = (codec_name?: string) => ({ codec_type: 'subtitle', codec_name })
const film = probed(
  {},
  { codec_type: 'video', codec_name: 'h264' },
  text('hdmv_pgs_subtitle'),
  text('ass'),
  text(),
  text('subrip'),
)

t.test('commands', (t) =>
  agree(
    t,
    (pair, options) => linesOf(plugin, pair, { ...options }, { ffprobe: film }),
    `
srt>vtt: subtitle-text srt ; ffmpeg -f srt -i -map 0:s:0 -c:s webvtt -f webvtt
srt>ass: subtitle-text srt ; ffmpeg -f srt -i -map 0:s:0 -c:s ass -f ass
vtt>srt: subtitle-text vtt ; ffmpeg -f webvtt -i -map 0:s:0 -c:s subrip -f srt ; subtitle-text srt
ass>srt: subtitle-text ass ; ffmpeg -f ass -i -map 0:s:0 -c:s subrip -f srt ; subtitle-text srt
mkv>srt: ffprobe -f matroska -show_entries stream=index,codec_type,codec_name ; ffmpeg -f matroska -i -map 0:2 -c:s subrip -f srt ; subtitle-text srt
mp4>vtt {"track":2}: ffprobe -f mov -show_entries stream=index,codec_type,codec_name ; ffmpeg -f mov -i -map 0:4 -c:s webvtt -f webvtt
`,
    /^(.*)$/,
  ),
)

t.test('tracks that do not exist', async (t) => {
  const refused = (ffprobe: string, track: number) => linesOf(plugin, 'mkv>srt', { track }, { ffprobe })
  const only = probed({}, text('subrip'))
  for (const [ffprobe, track, message] of [
    [film, 3, 'The video has 2 tracks of text; track 3 does not exist'],
    [only, 2, 'The video has 1 track of text; track 2 does not exist'],
    [probed({}, { codec_type: 'video' }), 1, 'The video has no track of text. It has no subtitles'],
    [probed({}, text('dvd_subtitle')), 1, 'The video has no track of text. Its subtitles are pictures'],
  ] as const)
    await t.rejects(refused(ffprobe, track), { code: 'CONVERSION_ERROR', message })
  t.match(await refused(`[warning] odd\n${only}`, 1), [/^ffprobe/, /-map 0:0/, /^subtitle/])
})

t.test('texts keep only what all players know', async (t) => {
  const folder = await folderOf(t)
  const tidy = join(import.meta.dirname, '../../../engines/programs/subtitle/tidy.ts')
  const input = join(folder, 'in')
  const output = join(folder, 'out')
  const cue = '00:01.000 --> 00:02.000'
  for (const [format, text, tidied] of [
    [
      'vtt',
      `\ufeffWEBVTT - a\n\nNOTE b\n\nSTYLE\n::cue {}\n\n1\n${cue} line:1\n<v Ann><b>Hi</b> <00:01.500>you</v>\n`,
      `WEBVTT\n\n1\n${cue} line:1\n<b>Hi</b> you\n`,
    ],
    [
      'vtt',
      `WEBVTT\r\n\r\n${cue}\r\n<c.red>a</c> <lang de>b</lang> <vain>\r\n\r\n\r\n${cue}\r\nNOTE`,
      `WEBVTT\n\n${cue}\na b <vain>\n\n${cue}\nNOTE\n`,
    ],
    ['srt', '<font size="9">a<font color="#f00" face="b">c</font>d</font></font>', 'a<font color="#f00">c</font>d'],
    ['srt', '1\n00:00:01 --> 00:01:02\nat 10:20', '1\n00:00:01,000 --> 00:01:02,000\nat 10:20'],
    ['vtt', 'WEBVTT\n\n00:01 --> 01:00:02 line:1\na', 'WEBVTT\n\n00:01.000 --> 01:00:02.000 line:1\na\n'],
    ['ass', '[Script Info]\r<font size="9">', '[Script Info]\n<font size="9">'],
  ] as const) {
    await writeFile(input, text)
    await program(process.execPath, tidy, input, output, format)
    t.equal(await readFile(output, 'utf8'), tidied)
  }
})
