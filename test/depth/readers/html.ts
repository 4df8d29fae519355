import { readFile } from 'node:fs/promises'
import { marked } from 'marked'
import { parse as parseYaml } from 'yaml'
import { program } from '../../fixtures/program.ts'
import { all, below, type Element, inside, parse, tidy, words } from './tree.ts'
import type { Reader, Writing } from './writing.ts'

const blocks = new Set(
  `address aside blockquote br dd div dl dt figure h1 h2 h3 h4 h5 h6 li ol p pre section sub sup table td th tr
  ul`.split(/\s+/),
)

/** Words with a space between blocks, and around raised ones; `skip` leaves elements out. */
const spaced = (element: Element, skip: (inner: Element) => boolean = () => false): string => {
  const told = (inner: Element): string => {
    if (skip(inner)) return ' '
    const text = inner.children.map((child) => (typeof child === 'string' ? child : told(child))).join('')
    return blocks.has(inner.name) ? ` ${text} ` : text
  }
  return tidy(told(element))
}

/** Cells by row, as wide as the widest. */
export function grid(table: Element): string[][] {
  const rows: string[][] = []
  const taken = (y: number, x: number) => rows[y]?.[x] !== undefined
  const lines = [...below(table, ({ name }) => name !== 'td' && name !== 'th')].filter(({ name }) => name === 'tr')
  for (const [y, line] of lines.entries()) {
    let x = 0
    rows[y] ??= []
    for (const cell of inside(line, 'td', 'th')) {
      while (taken(y, x)) x++
      const [across, down] = ['colspan', 'rowspan'].map((name) => Number(cell.attributes[name] ?? 1))
      for (let row = y; row < y + down!; row++)
        for (let column = x; column < x + across!; column++) (rows[row] ??= [])[column] = ''
      rows[y]![x] = spaced(cell)
    }
  }
  return rows.map((row) => Array.from(row, (cell) => cell ?? ''))
}

/** Notes: short links to a place further below, whose block has the text. */
function notesOf(page: Element): string[] {
  const elements = [...below(page)]
  const order = new Map(elements.map((element, index) => [element, index]))
  const places = new Map<string | undefined, Element>(
    elements.flatMap((one) => [one.attributes.name, one.attributes.id].flatMap((id) => (id ? [[id, one]] : []))),
  )
  const parents = new Map(elements.flatMap((element) => element.children.map((child) => [child, element] as const)))
  return elements.flatMap((link) => {
    const id = /^#(.+)/.exec(link.attributes.href ?? '')?.[1]
    let place = places.get(id)
    if (!id || !place || words(link).length > 4 || order.get(place)! < order.get(link)!) return []
    while (place && !['li', 'p', 'div', 'aside', 'dd'].includes(place.name)) place = parents.get(place)
    return place ? [spaced(place).replace(/^\[?\d+\]?\.?\s*|\s*↩$/g, '')] : []
  })
}

/** What a page says. */
function pageOf(markup: string): Writing {
  const page = parse(markup, true)
  const body = all(page, 'body')[0] ?? page
  const meta = all(page, 'meta').find(({ attributes }) => attributes.name?.toLowerCase() === 'author')
  const titled = all(page, 'title')[0]
  return {
    text: spaced(body),
    ...(titled && { title: words(titled) }),
    ...(meta && { author: meta.attributes.content! }),
    headings: all(body, 'h1', 'h2', 'h3', 'h4', 'h5', 'h6').map((one) => [Number(one.name[1]), spaced(one)]),
    items: all(body, 'ol', 'ul').flatMap((list) =>
      inside(list, 'li').map(
        (one) => [list.name === 'ol', spaced(one, ({ name }) => name === 'ol' || name === 'ul')] as const,
      ),
    ),
    tables: all(body, 'table').map(grid),
    notes: notesOf(body),
    links: all(body, 'a').flatMap((one) =>
      /^\w+:/.test(one.attributes.href ?? '') ? [[words(one), one.attributes.href!] as const] : [],
    ),
    bold: all(body, 'b', 'strong').map((one) => words(one)),
    italic: all(body, 'i', 'em').map((one) => words(one)),
    pictures: all(body, 'img').flatMap(({ attributes: { src = '' } }) => {
      const data = /^data:[^,]*;base64,(.*)/s.exec(src)?.[1]
      return data ? [Buffer.from(data, 'base64')] : []
    }),
  }
}

/** Reads a web page. */
export const html: Reader = async (path) => pageOf(await readFile(path, 'utf8'))

/** Reads Markdown by marked: pandoc's metadata block and footnotes, which marked does not know, are read here. */
export const markdown: Reader = async (path) => {
  const [, front, rest] = /^(?:---\n([\s\S]*?)\n(?:---|\.\.\.)\n)?([\s\S]*)$/.exec(await readFile(path, 'utf8'))!
  const notes: string[] = []
  const text = rest!
    .replace(/^\[\^[^\]]+\]: +(.*(?:\n(?:[ \t]+\S.*|(?!\[\^|#)\S.*))*)/gm, (_, note) => {
      notes.push(tidy(note))
      return ''
    })
    .replace(/\[\^[^\]]+\]/g, '')
  const { title, author } = front ? parseYaml(front) : {}
  const told = pageOf(await marked.parse(text, { gfm: true }))
  return {
    ...told,
    text: `${told.text} ${notes.join(' ')}`,
    notes: notes.map((note) => pageOf(marked.parse(note, { async: false })).text),
    ...(title && { title }),
    ...(author && { author: [author].flat().join(', ') }),
  }
}

/** Reads the chapters of an EPUB by their names. */
export const epub: Reader = async (path) => {
  const names = (await program('unzip', '-Z1', path)).toString().trim().split('\n')
  const read = (pattern: RegExp) =>
    Promise.all(
      names
        .filter((name) => pattern.test(name))
        .sort()
        .map((name) => program('unzip', '-p', path, name)),
    )
  const opf = parse(`${(await read(/\.opf$/))[0]}`)
  const chapters = (await read(/(?<!(nav|toc|title_page))\.x?html?$/)).map(String)
  const [title, author] = ['dc:title', 'dc:creator'].map((name) => all(opf, name)[0])
  const told = pageOf(
    `<body>${chapters.map((page) => page.replace(/^[\s\S]*?<body[^>]*>|<\/body>[\s\S]*$/g, '')).join('\n')}</body>`,
  )
  const images = await read(/\.(png|jpe?g|gif|webp)$/i)
  return {
    ...told,
    pictures: [...told.pictures!, ...images],
    title: title && words(title),
    author: author && words(author),
  } as Writing
}
