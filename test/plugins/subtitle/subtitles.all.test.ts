/** Subtitles between formats and out of videos. The results are read by a parser of the test, not by FFmpeg. */
import t from 'tap'
import { bare } from '../bare.ts'
import { film as makeFilm } from '../films.ts'

t.setTimeout(20 * 60_000)
const { convert, failure, file, folder } = await bare(t, ['subtitle'])

/** The times in milliseconds, and the text. */
type Cue = readonly [from: number, to: number, text: string]

const cues: Cue[] = [
  [1_200, 3_400, 'Übergröße, café: first line\nand a second one'],
  [61_000, 62_500, '灯台守 Ωκεανός мореплавание'],
  [3_661_040, 3_663_000, 'after an hour'],
]
const time = (ms: number, mark: string) => new Date(ms).toISOString().slice(11, 23).replace('.', mark)
const srt = (list: readonly Cue[]) =>
  list.map(([from, to, text], at) => `${at + 1}\n${time(from, ',')} --> ${time(to, ',')}\n${text}\n`).join('\n')
const vtt = `WEBVTT - by hand\n\nNOTE a comment\nof two lines\n\nSTYLE\n::cue { color: yellow }\n\n${cues
  .map(([from, to, text], at) => `cue-${at}\n${time(from, '.')} --> ${time(to, '.')} line:90% align:center\n${text}\n`)
  .join('\n')}`
const ass = `[Script Info]
ScriptType: v4.00+

[V4+ Styles]
Format: Name, Fontname, Fontsize, PrimaryColour, Bold, Italic, BorderStyle, Outline, Alignment, Encoding
Style: Default,Arial,20,&H00FFFFFF,0,0,1,2,2,1

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
${cues
  .map(([from, to, text]) => [time(from, '.').slice(1, -1), time(to, '.').slice(1, -1), text.replace('\n', '\\N')])
  .map(([from, to, text]) => `Dialogue: 0,${from},${to},Default,,0,0,0,,${text}`)
  .join('\n')}
`

/** Reads the cues of any of the three formats. */
function read(text: string): Cue[] {
  const ms = (time: string) => Math.round(time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0) * 1000)
  const lines = text.replace(/\r/g, '').replace(/(\d),(\d{3})/g, '$1.$2')
  if (lines.includes('[Events]'))
    return [...lines.matchAll(/^Dialogue: [^,]*,([^,]*),([^,]*),(?:[^,]*,){6}(.*)$/gm)].map(([, from, to, said]) => [
      ms(from!),
      ms(to!),
      said!.replaceAll('\\N', '\n').replace(/\{[^}]*\}/g, ''),
    ])
  return lines.split(/\n\n+/).flatMap((block): Cue[] => {
    const [, from, to, said] = /(?:^|\n)([\d:.]+) --> ([\d:.]+).*\n([\s\S]+)$/.exec(block) ?? []
    return said ? [[ms(from!), ms(to!), said.trim()]] : []
  })
}

const made = async (source: string | Buffer, pair: string, options = {}) =>
  (await convert(source, pair, options)).bytes.toString()

for (const [from, content] of Object.entries({ srt: srt(cues), vtt, ass }))
  for (const to of ['srt', 'vtt', 'ass'].filter((one) => one !== from))
    t.test(`${from} to ${to} keeps times, lines and letters`, async (t) => {
      const text = await made(Buffer.from(content), `${from}>${to}`)
      t.strictSame(read(text), cues)
      t.notMatch(text, /<font|\ufeff/, 'no markup that nobody wrote')
    })

t.test('character sets, and emphasis', async (t) => {
  const western = [[1_000, 2_000, 'Größe, café – “so”']] as const
  const bytes = srt(western).replaceAll('–', '\x96').replaceAll('“', '\x93').replaceAll('”', '\x94')
  t.strictSame(read(await made(Buffer.from(bytes, 'latin1'), 'srt>vtt')), western)
  const slanted = Buffer.from(srt([[0, 1_000, '<i>slanted</i> and <b>bold</b>']]))
  t.match(await made(slanted, 'srt>vtt'), '<i>slanted</i> and <b>bold</b>')
  t.match(await made(slanted, 'srt>ass'), '{\\i1}slanted{\\i0} and {\\b1}bold{\\b0}')
})

t.test('out of videos: the first track of text, or another by its number', async (t) => {
  const tracks = [cues.slice(0, 1), [[500, 900, 'zweite Spur']] as const]
  const texts = await Promise.all(tracks.map((track) => file('a.srt', srt(track))))
  const inputs = ['-f', 'lavfi', '-i', 'color=s=64x64:d=5', ...texts.flatMap((path) => ['-i', path])]
  for (const [extension, codec] of Object.entries({ mkv: 'ass', mov: 'mov_text', webm: 'webvtt' })) {
    const film = await makeFilm(folder, extension, ...inputs, ...['-map', 0, '-map', 1, '-map', 2], '-c:s', codec)
    t.strictSame(read(await made(film, `${extension}>srt`)), tracks[0], extension)
    t.strictSame(read(await made(film, `${extension}>vtt`, { track: 2 })), tracks[1], `${extension}, track 2`)
  }
})

t.test('hostile texts end as results or refusals', async (t) => {
  for (const text of [
    '1\n00:00:01,000 --> 00:00:00,000\nbackwards\n',
    `1\n00:00:01,000 --> 00:00:02,000\n${'<i>'.repeat(20_000)}\n`,
    '1\n00:00:01,000 --> 00:00:02,000\n{\\p1}m 0 0 l 100 0{\\fnfile:///etc/passwd}\\N\n',
  ])
    for (const to of ['vtt', 'ass'])
      t.match((await failure(Buffer.from(text), `srt>${to}`)).code, /^(CONVERSION_ERROR|made \d+ bytes)$/)
})
