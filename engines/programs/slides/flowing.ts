import { type ChartReader, createChartReader } from '../text/chart.ts'
import { pageMark } from '../text/markup.ts'
import { pictureIn } from './picture.ts'

/** A comment on a slide. */
const COMMENT = 'officeooo:annotation'

/** HTML elements for OpenDocument elements. Styles are ignored. */
const elements: Readonly<Record<string, string>> = {
  'draw:page': 'section',
  'presentation:notes': 'blockquote',
  'text:list': 'ul',
  'text:list-item': 'li',
  'text:list-header': 'li',
  'text:h': 'h3',
  'text:p': 'p',
  'table:table': 'table',
  'table:table-row': 'tr',
  'table:table-cell': 'td',
  [COMMENT]: 'blockquote',
}

/** Elements without a place in flowing HTML: fields, data of programs, alternative descriptions. */
const silent = new Set([
  'office:forms',
  'text:page-number',
  'text:page-count',
  'presentation:footer-decl',
  'presentation:date-time-decl',
  'presentation:header-decl',
  'presentation:date-time',
  'presentation:footer',
  'presentation:header',
  'draw:page-thumbnail',
  'svg:title',
  'svg:desc',
  'anim:par',
  'dc:date',
])

/** A document in a document: a chart, a formula, a sheet. */
const EMBEDDED = 'office:document'

const attribute = (tag: string, name: string) => new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1]
const TITLE = /\spresentation:class="(?:sub)?title"/

/**
 * The slides of a flat OpenDocument presentation or drawing as HTML (OpenDocument 1.3 part 3, §10): one section per
 * slide, with its title as a heading, and lists, tables, images, links and notes.
 *
 * @param marked whether each slide begins with the mark of a page and ends with its comments
 */
export function flowing(xml: string, marked = false): string {
  const from = xml.search(/<office:(?:presentation|drawing)[\s>]/)
  const html: string[] = []
  const closing: string[] = []
  let skipping = 0
  let slides = 0
  let chart: ChartReader | undefined
  let paragraphs: string | undefined
  for (const [tag, text] of tokens(xml, from)) {
    if (text !== undefined) {
      if (chart) chart.text(text)
      else if (!skipping && text.trim()) html.push(text)
      continue
    }
    const name = /^<\/?([^\s/>]+)/.exec(tag)?.[1] ?? ''
    const ends = tag.startsWith('</')
    const empty = tag.endsWith('/>')
    if (name === EMBEDDED || chart) {
      if (name === EMBEDDED && !ends) chart = createChartReader()
      else if (!ends) chart?.open(name, Number(attribute(tag, 'table:number-columns-repeated') ?? 1))
      if (ends || empty) chart?.close(name)
      if (name !== EMBEDDED || !ends) continue
      html.push(chart?.html() ?? '')
      chart = undefined
      continue
    }
    if (silent.has(name) || (!marked && name === COMMENT)) {
      if (!empty) skipping += ends ? -1 : 1
      continue
    }
    if (skipping) continue
    if (empty || name === 'office:binary-data') html.push(alone(name, tag))
    else if (ends) {
      html.push(closing.pop() ?? '')
      if (name === 'draw:frame' || name === 'draw:custom-shape') paragraphs = undefined
    } else {
      if (TITLE.test(tag)) paragraphs = 'h2'
      const [open, close] = pair(name, tag, paragraphs)
      html.push(open)
      if (marked && name === 'draw:page') html.push(pageMark(++slides))
      closing.push(close)
    }
  }
  return html.join('')
}

/** Tags and the text between them. An image's data come together with the tag before them. */
function* tokens(xml: string, from: number): Generator<[tag: string, text?: string]> {
  let at = Math.max(0, from)
  while (at < xml.length) {
    const start = xml.indexOf('<', at)
    if (start < 0) return
    if (start > at) yield ['', xml.slice(at, start)]
    const binary = xml.startsWith('<office:binary-data>', start)
    const end = binary ? xml.indexOf('</office:binary-data>', start) + 20 : xml.indexOf('>', start)
    if (end < start) return
    if (xml[start + 1] !== '?' && xml[start + 1] !== '!') yield [xml.slice(start, end + 1)]
    at = end + 1
  }
}

/** The HTML of an element without content. */
function alone(name: string, tag: string): string {
  if (name === 'text:line-break') return '<br>'
  if (name === 'text:tab') return '\t'
  if (name === 'text:s') return '\u00a0'.repeat(Math.min(Number(attribute(tag, 'text:c') ?? 1), 100))
  if (name === 'table:table-cell') return '<td></td>'
  return name === 'office:binary-data' ? pictureIn(tag) : ''
}

/** The start and the end of an element in HTML. */
function pair(name: string, tag: string, paragraphs: string | undefined): [string, string] {
  if (name === 'text:a') {
    const target = attribute(tag, 'xlink:href') ?? ''
    return /^(https?|mailto):/.test(target) ? [`<a href="${target}">`, '</a>'] : ['', '']
  }
  if (name === 'dc:creator') return ['<p>Comment by ', ':</p>\n']
  const element = name === 'text:p' && paragraphs ? paragraphs : elements[name]
  if (!element) return ['', '']
  const spans = element === 'td' ? spanOf(tag) : ''
  return [`<${element}${spans}>`, `</${element}>\n`]
}

const spanOf = (tag: string) =>
  [
    ['colspan', 'columns'],
    ['rowspan', 'rows'],
  ]
    .map(([html, odf]) => {
      const span = Number(attribute(tag, `table:number-${odf}-spanned`) ?? 1)
      return span > 1 ? ` ${html}="${span}"` : ''
    })
    .join('')
