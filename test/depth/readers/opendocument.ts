import { readFile } from 'node:fs/promises'
import { program } from '../../fixtures/program.ts'
import { all, below, type Element, inside, parse, tidy, words } from './tree.ts'
import type { Reader, Writing } from './writing.ts'

const part = async (path: string, name: string) => parse((await program('unzip', '-p', path, name)).toString())

/** Text of a paragraph: spaces and breaks are elements, notes are no part of it. */
const said = (element: Element) =>
  words(element, ({ name }) =>
    ['text:s', 'text:tab', 'text:line-break'].includes(name)
      ? ' '
      : ['text:note', 'office:annotation', 'svg:title', 'svg:desc'].includes(name)
        ? ''
        : undefined,
  )
const paragraphs = (element: Element) =>
  [
    ...below(
      element,
      ({ name }) => !['text:p', 'text:h', 'text:note', 'office:annotation', 'text:tracked-changes'].includes(name),
    ),
  ].filter(({ name }) => name === 'text:p' || name === 'text:h')
const spaced = (element: Element) => tidy(paragraphs(element).map(said).join(' '))

function grid(table: Element): string[][] {
  const lines = all(table, 'table:table-row')
  return lines.map((line) =>
    inside(line, 'table:table-cell', 'table:covered-table-cell').flatMap((cell) =>
      Array<string>(Number(cell.attributes['table:number-columns-repeated'] ?? 1)).fill(spaced(cell)),
    ),
  )
}

export const millimetres = (length = '') => {
  const [, number, unit] = /^([\d.]+)(\w+)$/.exec(length) ?? []
  return Number(number) * ({ mm: 1, cm: 10, in: 25.4, pt: 25.4 / 72 }[unit ?? ''] ?? Number.NaN)
}

const called = (elements: readonly Element[], name: string | undefined) =>
  elements.findLast(({ attributes }) => attributes['style:name'] === name)

/** Attributes of the paper of a master page. */
export function pageLayout(styles: Element, master: string | undefined): Element['attributes'] {
  const page = called(all(styles, 'style:master-page'), master)
  const layout = called(all(styles, 'style:page-layout'), page?.attributes['style:page-layout-name'])
  return (layout && all(layout, 'style:page-layout-properties')[0]?.attributes) ?? {}
}

/** Reads OpenDocument text. */
function writing(content: Element, styles: Element, meta: Element, pictures: readonly Buffer[]): Writing {
  const known = [styles, content].flatMap((tree) => all(tree, 'style:style'))
  const property = (name: string | undefined, key: string): string | undefined => {
    const style = called(known, name)
    if (!style) return undefined
    const own = all(style, 'style:text-properties')[0]?.attributes[key]
    return own ?? property(style.attributes['style:parent-style-name'], key)
  }
  const marked = (key: string, values: readonly string[]) =>
    all(content, 'text:span')
      .filter((span) => values.includes(property(span.attributes['text:style-name'], key) ?? ''))
      .map(said)
  const lists = [styles, content].flatMap((tree) => all(tree, 'text:list-style'))
  const body = all(content, 'office:text')[0]!
  const items = all(body, 'text:list').flatMap((list) => {
    const style = called(lists, list.attributes['text:style-name'])
    const numbers = style ? inside(style, 'text:list-level-style-number') : []
    const ordered = numbers.some(({ attributes }) => attributes['text:level'] === '1')
    const first = inside(list, 'text:list-item').flatMap((item) => inside(item, 'text:p').slice(0, 1))
    return first.map((one) => [ordered, said(one)] as const)
  })
  const layout = pageLayout(styles, 'Standard')
  const [title] = all(meta, 'dc:title')
  const author = all(meta, 'meta:initial-creator')[0] ?? all(meta, 'dc:creator')[0]
  return {
    text: paragraphs(body).map(said).join('\n'),
    ...(title && { title: words(title) }),
    ...(author && { author: words(author) }),
    headings: all(body, 'text:h').map((one) => [Number(one.attributes['text:outline-level']), said(one)]),
    items,
    tables: all(body, 'table:table').map(grid),
    notes: all(body, 'text:note-body').map(spaced),
    links: all(body, 'text:a').map((one) => [said(one), one.attributes['xlink:href']!]),
    bold: marked('fo:font-weight', ['bold', '700']),
    italic: marked('fo:font-style', ['italic']),
    page: [millimetres(layout['fo:page-width']), millimetres(layout['fo:page-height'])],
    pictures,
  }
}

/** Reads ODT and its template. */
export const opendocument: Reader = async (path) => {
  const content = await part(path, 'content.xml')
  const names = all(content, 'draw:image').flatMap(({ attributes }) => attributes['xlink:href'] ?? [])
  const pictures = await Promise.all(names.map((name) => program('unzip', '-p', path, name.replace(/^\.\//, ''))))
  return writing(content, await part(path, 'styles.xml'), await part(path, 'meta.xml').catch(() => parse('')), pictures)
}

/** Reads flat ODT. */
export const flat: Reader = async (path) => {
  const tree = parse(await readFile(path, 'utf8'))
  const pictures = all(tree, 'office:binary-data').map((data) => Buffer.from(words(data), 'base64'))
  return writing(tree, tree, tree, pictures)
}
