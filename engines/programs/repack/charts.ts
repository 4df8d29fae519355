import { attributesOf, escaped, unescaped } from '../text/markup.ts'
import { diagramTexts } from './diagrams.ts'

/** Points of one series that are read; more are no data for people. */
const MAX_POINTS = 10_000
/** Letters that a document grows to by charts and diagrams: it can show one many times. */
const MAX_LETTERS = 100_000_000

/** One series of a chart: what its points are called, and their values, by number. */
interface Series {
  name: string
  points: ReadonlyMap<number, string>
  values: ReadonlyMap<number, string>
}

/**
 * Adds the data of charts to a Word document, as tables after the paragraphs that show the charts, and the texts of
 * diagrams: readers skip those.
 *
 * @param targets Returns the content of a part by the id of its relationship; '': there is none.
 */
export function charted(xml: string, targets: (id: string) => string): string {
  const known = new Map<string, string>()
  let out = ''
  let at = 0
  let end = -1
  for (const { 0: tag, index } of xml.matchAll(/<(?:c:chart|dgm:relIds)\s[^<>]*>/g)) {
    if (end < index) end = xml.indexOf('</w:p>', index)
    if (end < 0) break
    const attributes = attributesOf(tag)
    const part = targets(attributes.get('r:id') ?? attributes.get('r:dm') ?? '')
    const texts = known.get(part) ?? chartTables(part) + diagramTexts(part).map(paragraph).join('')
    known.set(part, texts)
    const after = Math.max(end + '</w:p>'.length, at)
    out += xml.slice(at, after) + (out.length + texts.length > MAX_LETTERS ? '' : texts)
    at = after
  }
  return out + xml.slice(at)
}

/**
 * The title and the data of a chart (ECMA-376 part 1, §21.2) as paragraphs and tables: one for all series with the same
 * points.
 */
function chartTables(chart: string): string {
  const xml = chart.replace(/<(\/?)[\w-]+:/g, '<$1')
  const parts = xml.split('</ser>').slice(0, -1)
  const series = parts.map((part) => seriesOf(part.slice(part.lastIndexOf('<ser>'))))
  const groups = Map.groupBy(
    series.filter(({ values }) => values.size > 0),
    ({ points }) => JSON.stringify([...points]),
  )
  if (groups.size === 0) return ''
  const tables = [...groups.values()].map(table)
  // Tables that follow each other would be one.
  return paragraph(textIn(xml.slice(0, Math.max(0, xml.indexOf('<plotArea'))), 't')) + tables.join(paragraph(''))
}

function seriesOf(xml: string): Series {
  const element = (...names: string[]) =>
    names.map((name) => xml.split(`<${name}>`, 2)[1]?.split(`</${name}>`, 1)[0]).find((inside) => inside) ?? ''
  return {
    name: textIn(element('tx'), 'v'),
    points: cached(element('cat', 'xVal')),
    values: cached(element('val', 'yVal')),
  }
}

/** The values that the document stores, by number. Of categories in several levels, the innermost. */
function cached(xml: string): Map<number, string> {
  const [level] = xml.split('</lvl>', 1)
  const format = textIn(xml, 'formatCode')
  const points = [...level!.matchAll(/<pt idx="(\d{1,7})"[^<>]*>\s*<v>([^<]*)<\/v>/g)].slice(0, MAX_POINTS)
  return new Map(points.map(([, index, value]) => [Number(index), shown(unescaped(value!), format)]))
}

/** A date in place of its number, if the format asks for one. */
function shown(value: string, format: string): string {
  const days = Number(value)
  if (!/[yd]/i.test(format.replace(/"[^"]*"|\[[^\]]*\]/g, '')) || !(days > 60 && days < 2_958_466)) return value
  return new Date(Date.UTC(1899, 11, 30) + Math.round(days * 86_400_000)).toISOString().slice(0, 10)
}

const textIn = (xml: string, name: string) =>
  [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))].map(([, text]) => unescaped(text!)).join('')

function table(series: readonly Series[]): string {
  const { points } = series[0]!
  const numbers = [...new Set(series.flatMap(({ values }) => [...values.keys()]).concat(...points.keys()))]
  const rows = numbers
    .sort((a, b) => a - b)
    .map((number) => [points.get(number) ?? '', ...series.map(({ values }) => values.get(number) ?? '')])
  const head = ['', ...series.map(({ name }) => name)]
  const cells = [head, ...rows].map((row) => row.map((text) => `<w:tc>${paragraph(text)}</w:tc>`).join(''))
  const grid = head.map(() => '<w:gridCol w:w="1000"/>').join('')
  const look = '<w:tblPr><w:tblLook w:firstRow="1"/></w:tblPr>'
  return `<w:tbl>${look}<w:tblGrid>${grid}</w:tblGrid>${cells.map((row) => `<w:tr>${row}</w:tr>`).join('')}</w:tbl>`
}

const paragraph = (text: string) => `<w:p><w:r><w:t xml:space="preserve">${escaped(text)}</w:t></w:r></w:p>`
