import { join } from 'node:path'
import { program } from '../../fixtures/program.ts'
import { all, type Element, inside, parse, tidy, words } from './tree.ts'
import type { Reader } from './writing.ts'

const value = (element: Element | undefined, path: string): string | undefined => {
  const found = path.split('/').reduce<Element | undefined>((at, name) => at && inside(at, name)[0], element)
  return found && (found.attributes['w:val'] ?? 'true')
}
const isOn = (told: string | undefined) => told !== undefined && !['0', 'false', 'none', 'off'].includes(told)

const unsaid = new Set(
  `w:instrText w:delText w:tabs mc:Fallback wp:docPr w:txbxContent m:oMath wp:align wp:posOffset wp14:pctPosHOffset
  wp14:pctPosVOffset wp14:pctWidth wp14:pctHeight`.split(/\s+/),
)

/** Text of runs, without deleted text and instructions of fields. */
const said = (element: Element): string =>
  words(element, (inner) => {
    const { name } = inner
    const text = () => inner.children.map((child) => (typeof child === 'string' ? child : said(child))).join('')
    if (name === 'w:r' && value(inner, 'w:rPr/w:vertAlign') === 'superscript') return ` ${text()} `
    return ['w:tab', 'w:br', 'w:cr'].includes(name) ? ' ' : unsaid.has(name) ? '' : undefined
  })
const spaced = (element: Element) => tidy(all(element, 'w:p').map(said).join(' '))

/** A cell that continues the one above is empty, and so are those that a wide cell covers. */
const grid = (table: Element) =>
  inside(table, 'w:tr').map((row) =>
    inside(row, 'w:tc').flatMap((cell) => {
      const isCovered = /^(true|continue)$/.test(value(cell, 'w:tcPr/w:vMerge') ?? '')
      const across = Number(value(cell, 'w:tcPr/w:gridSpan') ?? 1)
      return [isCovered ? '' : spaced(cell), ...Array<string>(across - 1).fill('')]
    }),
  )

/** Reads WordprocessingML (ECMA-376 part 1, §17). */
export const word: Reader = async (path) => {
  const names = (await program('unzip', '-Z1', path)).toString().trim().split('\n')
  const bytes = (name: string) => program('unzip', '-p', path, name)
  const part = async (name: string) => parse(names.includes(name) ? (await bytes(name)).toString() : '')
  const [document, styles, numbering, notes, links, core] = await Promise.all(
    ['document.xml', 'styles.xml', 'numbering.xml', 'footnotes.xml', '_rels/document.xml.rels', '../docProps/core.xml']
      .map((name) => join('word', name))
      .map(part),
  )
  const body = all(document!, 'w:body')[0]!
  const known = new Map(all(styles!, 'w:style').map((style) => [style.attributes['w:styleId'], style]))
  /** A property of a style or of those that it is based on. */
  const inherited = (id: string | undefined, path: string): string | undefined => {
    const style = known.get(id)
    return style && (value(style, path) ?? inherited(value(style, 'w:basedOn'), path))
  }
  const styleOf = (paragraph: Element) => value(paragraph, 'w:pPr/w:pStyle')
  const level = (paragraph: Element) => {
    const id = styleOf(paragraph)
    const outline = value(paragraph, 'w:pPr/w:outlineLvl') ?? inherited(id, 'w:pPr/w:outlineLvl')
    const named = /^heading (\d)$/i.exec(value(known.get(id), 'w:name') ?? '')?.[1]
    return named ? Number(named) : outline !== undefined && Number(outline) < 9 ? Number(outline) + 1 : undefined
  }
  const ordered = (paragraph: Element) => {
    const number = value(paragraph, 'w:pPr/w:numPr/w:numId') ?? inherited(styleOf(paragraph), 'w:pPr/w:numPr/w:numId')
    if (!number || number === '0' || level(paragraph)) return undefined
    const depth = value(paragraph, 'w:pPr/w:numPr/w:ilvl') ?? '0'
    const list = all(numbering!, 'w:num').find((one) => one.attributes['w:numId'] === number)
    const shape = all(numbering!, 'w:abstractNum').find(
      (one) => one.attributes['w:abstractNumId'] === value(list, 'w:abstractNumId'),
    )
    const format = value(shape && inside(shape, 'w:lvl').find((one) => one.attributes['w:ilvl'] === depth), 'w:numFmt')
    return format === 'none' ? undefined : format !== 'bullet'
  }
  const targets = new Map(all(links!, 'Relationship').map(({ attributes: { Id, Target } }) => [Id, Target!]))
  const paragraphs = all(body, 'w:p')
  const runs = paragraphs
    .filter((one) => !level(one))
    .flatMap((one) => all(one, 'w:r'))
    .filter((run) => !/Tok$/.test(value(run, 'w:rPr/w:rStyle') ?? ''))
  const styled = (name: string) =>
    runs
      .filter((run) => isOn(value(run, `w:rPr/${name}`) ?? inherited(value(run, 'w:rPr/w:rStyle'), `w:rPr/${name}`)))
      .map(said)
  const size = all(body, 'w:pgSz').at(-1)?.attributes ?? {}
  const [title, author] = ['dc:title', 'dc:creator'].map((name) => all(core!, name)[0]).map((one) => one && words(one))
  const fields = paragraphs.flatMap((one) => {
    const codes = all(one, 'w:instrText').map((code) => words(code))
    const address = /HYPERLINK\s+"([^"]+)"/.exec(codes.join(' '))?.[1]
    return address ? [[said(one), address] as const] : []
  })
  return {
    text: paragraphs.map(said).join('\n'),
    title: title ?? '',
    author: author ?? '',
    headings: paragraphs.flatMap((one) => (level(one) ? [[level(one)!, said(one)] as const] : [])),
    items: paragraphs.flatMap((one) => (ordered(one) === undefined ? [] : [[ordered(one)!, said(one)] as const])),
    tables: all(body, 'w:tbl').map(grid),
    notes: all(notes!, 'w:footnote')
      .filter(({ attributes }) => !attributes['w:type'])
      .map(spaced),
    links: [
      ...all(body, 'w:hyperlink').flatMap((one) =>
        one.attributes['r:id'] ? [[said(one), targets.get(one.attributes['r:id'])!] as const] : [],
      ),
      ...fields,
    ],
    bold: styled('w:b'),
    italic: styled('w:i'),
    page: [Number(size['w:w']), Number(size['w:h'])].map((side) => (side / 1440) * 25.4) as [number, number],
    pictures: await Promise.all(
      all(body, 'a:blip', 'v:imagedata').flatMap(({ attributes }) => {
        const target = targets.get(attributes['r:embed'] ?? attributes['r:id'])
        return target && !/^\w+:/.test(target)
          ? [bytes(target.startsWith('/') ? target.slice(1) : `word/${target}`)]
          : []
      }),
    ),
  }
}
