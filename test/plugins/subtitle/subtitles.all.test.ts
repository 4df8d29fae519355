/** Subtitles between formats and out of videos. The results are read by a parser of the test, not by FFmpeg. */
import t from 'tap'
import { studio } from '../../harness/studio.ts'
import { film as makeFilm } from '../films.ts'

t.setTimeout(20 * 60_000)
const { convert: converted, failure, file, folder, machine, ...rest } = await studio({ subtitle: true })
t.teardown(() => rest[Symbol.asyncDispose]())

interface Cue {
  /** Milliseconds. */
  from: number
  to: number
  text: string
}

const cues: Cue[] = [
  { from: 1_200, to: 3_400, text: 'Übergröße, café: first line\nand a second one' },
  { from: 61_000, to: 62_500, text: '灯台守 Ωκεανός мореплавание' },
  { from: 3_661_040, to: 3_663_000, text: 'after an hour' },
]

const clock = (ms: number, mark: string) =>
  `${new Date(ms).toISOString().slice(11, 19)}${mark}${String(ms % 1000).padStart(3, '0')}`

const asSrt = (list: readonly Cue[], end = '\n') =>
  list
    .map(({ from, to, text }, index) => `${index + 1}\n${clock(from, ',')} --> ${clock(to, ',')}\n${text}\n`)
    .join('\n')
    .replaceAll('\n', end)

const asVtt = `WEBVTT - made by hand\n\nNOTE a comment\nof two lines\n\nSTYLE\n::cue { color: yellow }\n\n${cues
  .map(
    ({ from, to, text }, index) =>
      `cue-${index}\n${clock(from, '.')} --> ${clock(to, '.')} line:90% align:center\n${text}\n`,
  )
  .join('\n')}`

const asAss = `[Script Info]
Title: made by hand
ScriptType: v4.00+

[V4+ Styles]
Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
Style: Default,Arial,20,&H00FFFFFF,&H000000FF,&H00000000,&H00000000,0,0,0,0,100,100,0,0,1,2,2,2,10,10,10,1

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
${cues
  .map(
    ({ from, to, text }) =>
      `Dialogue: 0,${clock(from, '.').slice(1, -1)},${clock(to, '.').slice(1, -1)},Default,,0,0,0,,${text.replace('\n', '\\N')}`,
  )
  .join('\n')}
`

/** Reads the cues of any of the three formats. */
function read(text: string): Cue[] {
  const ms = (time: string) =>
    time
      .split(/[:.,]/)
      .reduce(
        (sum, part, at, all) =>
          at === all.length - 1 ? sum * 1000 + Number(part.padEnd(3, '0')) : sum * 60 + Number(part),
        0,
      )
  const lines = text.replace(/\r/g, '')
  if (lines.includes('[Events]'))
    return [...lines.matchAll(/^Dialogue: [^,]*,([^,]*),([^,]*),(?:[^,]*,){6}(.*)$/gm)].map(([, from, to, said]) => ({
      from: ms(from!),
      to: ms(to!),
      text: said!.replaceAll('\\N', '\n').replace(/\{[^}]*\}/g, ''),
    }))
  return lines.split(/\n\n+/).flatMap((block) => {
    const [, from, to, said] = /(?:^|\n)([\d:.,]+) --> ([\d:.,]+).*\n([\s\S]+)$/.exec(block) ?? []
    return said ? [{ from: ms(from!), to: ms(to!), text: said.trim() }] : []
  })
}

const pairOf = async (source: string, to: string) => `${await machine.detect(source, source.split('.').at(-1)!)}>${to}`
const convert = async (source: string, to: string, options = {}) =>
  (await converted(source, await pairOf(source, to), options)).bytes.toString()

const sources = { srt: asSrt(cues), vtt: asVtt, ass: asAss }

for (const [from, content] of Object.entries(sources))
  for (const to of Object.keys(sources).filter((one) => one !== from))
    t.test(`${from} to ${to} keeps times, lines and letters`, async (t) => {
      const made = await convert(await file(`a.${from}`, content), to)
      t.strictSame(read(made), cues)
      t.notMatch(made, /<font|\ufeff/, 'no markup that nobody wrote')
    })

t.test('any character set and line ending', async (t) => {
  const western = [{ from: 1_000, to: 2_000, text: 'Größe, café – “so”' }]
  for (const [name, bytes] of Object.entries({
    'UTF-16 with CRLF': Buffer.from(`\ufeff${asSrt(western, '\r\n')}`, 'utf16le'),
    'Windows-1252': Buffer.from(
      asSrt(western).replaceAll('–', '\x96').replaceAll('“', '\x93').replaceAll('”', '\x94'),
      'latin1',
    ),
    'UTF-8 with a byte order mark': Buffer.from(`\ufeff${asSrt(western)}`),
  }))
    t.strictSame(read(await convert(await file('a.srt', bytes), 'vtt')), western, name)
})

t.test('emphasis is kept', async (t) => {
  const source = await file('a.srt', asSrt([{ from: 0, to: 1_000, text: '<i>slanted</i> and <b>bold</b>' }]))
  t.match(await convert(source, 'vtt'), '<i>slanted</i> and <b>bold</b>')
  t.match(await convert(source, 'ass'), '{\\i1}slanted{\\i0} and {\\b1}bold{\\b0}')
})

t.test('out of videos: the first track of text, or another by its number', async (t) => {
  const one = cues.slice(0, 1)
  const two = [{ from: 500, to: 900, text: 'zweite Spur' }]
  const inputs = [
    '-f',
    'lavfi',
    '-i',
    'color=s=64x64:d=5',
    '-i',
    await file('a.srt', asSrt(one)),
    '-i',
    await file('a.srt', asSrt(two)),
  ]
  const maps = ['-map', '0', '-map', '1', '-map', '2']
  for (const [extension, codec] of [
    ['mkv', 'ass'],
    ['mkv', 'srt'],
    ['mp4', 'mov_text'],
    ['mov', 'mov_text'],
    ['webm', 'webvtt'],
  ] as const) {
    const film = await makeFilm(folder, extension, ...inputs, ...maps, '-c:s', codec)
    for (const to of ['srt', 'vtt', 'ass']) {
      t.strictSame(read(await convert(film, to)), one, `${extension} with ${codec} to ${to}`)
      t.strictSame(read(await convert(film, to, { track: 2 })), two, `${extension} with ${codec} to ${to}, track 2`)
    }
    const message = 'The video has 2 tracks of text; track 3 does not exist'
    t.same(await failure(film, await pairOf(film, 'srt'), { track: 3 }), { code: 'CONVERSION_ERROR', message })
  }
})

t.test('hostile texts end as results or refusals', async (t) => {
  for (const text of [
    '1\n00:00:01,000 --> 00:00:00,000\nbackwards\n',
    `1\n00:00:01,000 --> 00:00:02,000\n${'<i>'.repeat(20_000)}\n`,
    `1\n99:59:59,999 --> 00:00:02,000\n${'a'.repeat(500_000)}\n`,
    '1\n00:00:01,000 --> 00:00:02,000\n{\\p1}m 0 0 l 100 0{\\fnfile:///etc/passwd}\\N\n',
  ])
    for (const to of ['vtt', 'ass'])
      t.match((await failure(Buffer.from(text), `srt>${to}`)).code, /^(CONVERSION_ERROR|made \d+ bytes)$/)
})
