/** Rewrites subtitles in UTF-8 with only what all players know: `tidy.ts INPUT OUTPUT srt|vtt|ass`. */
import { readFile, writeFile } from 'node:fs/promises'
import { decoded } from '../text/decoded.ts'

/** Voices, classes, languages, ruby and times inside a cue (W3C WebVTT, §4.2.2). Bold, italic and underline stay. */
const TAGS = /<(?:\/?(?:v|c|lang|ruby|rt)(?=[\s.>])[^<>\n]*|[\d:.]+)>/g

/** The times of a cue. */
const TIMES = /^[ \t]*[\d:,.]+:\d\d[\d,.]*[ \t]*-->[ \t]*[\d:,.]+:\d\d[\d,.]*/gm

/** Adds fractions to times of whole seconds, which FFmpeg does not read. @param point Between seconds and fraction. */
const withFractions = (text: string, point: string) =>
  text.replace(TIMES, (times) => times.replace(/:\d\d(?![\d:,.])/g, `$&${point}000`))

/** Keeps the cues: notes, style sheets and regions go. */
function cuesOf(text: string): string {
  const cues = text.split(/\n{2,}/).filter((block) => /^(?!NOTE\b)(?:.*\n)?[\d:.]+[ \t]+-->/.test(block))
  return `${['WEBVTT', ...cues.map((cue) => cue.trim().replace(TAGS, ''))].join('\n\n')}\n`
}

/** Removes typefaces and sizes, which are those of the old format's default style. Colours stay. */
function withoutFonts(text: string): string {
  const open: boolean[] = []
  return text.replace(/<(\/?)font\b([^<>\n]*)>/gi, (_, closing, attributes) => {
    if (closing) return open.pop() ? '</font>' : ''
    const [colour = ''] = /\scolor=("[^"]*"|[^\s"]+)/i.exec(attributes) ?? []
    open.push(colour !== '')
    return colour && `<font${colour}>`
  })
}

const [input, output, format] = process.argv.slice(2) as [string, string, string]
const text = decoded(await readFile(input))
  .replace(/^\ufeff/, '')
  .replace(/\r\n?/g, '\n')
const tidy: Readonly<Record<string, () => string>> = {
  vtt: () => cuesOf(withFractions(text, '.')),
  srt: () => withoutFonts(withFractions(text, ',')),
}
await writeFile(output, tidy[format]?.() ?? text)
