import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { program } from '../../fixtures/program.ts'
import { withFolder } from '../../harness/folder.ts'
import { paperOf } from '../paper.ts'
import { all, parse, tidy, words } from './tree.ts'
import type { Reader } from './writing.ts'

/**
 * Lines, whether all of a line is in another font than most letters, and pieces in bold or italics, as Poppler sees
 * them.
 */
async function linesOf(path: string) {
  const pages = parse((await program('pdftohtml', '-xml', '-i', '-stdout', '-nodrm', path)).toString())
  const fonts = new Map(all(pages, 'fontspec').map(({ attributes }) => [attributes.id, attributes]))
  const letters = new Map<string, number>()
  const lines = new Map<string, { text: string; fonts: Set<string> }>()
  for (const [number, page] of all(pages, 'page').entries())
    for (const piece of all(page, 'text')) {
      const { size, family, color } = fonts.get(piece.attributes.font) ?? {}
      const text = words(piece)
      const font = `${size} ${family} ${color} ${all(piece, 'b').length > 0}`
      letters.set(font, (letters.get(font) ?? 0) + text.length)
      // Raised and larger letters have other tops: bottoms agree.
      const bottom = Math.round((Number(piece.attributes.top) + Number(piece.attributes.height)) / 4)
      const line = lines.get(`${number}:${bottom}`) ?? { text: '', fonts: new Set() }
      lines.set(`${number}:${bottom}`, { text: tidy(`${line.text} ${text}`), fonts: line.fonts.add(font) })
    }
  const [usual = ''] = [...letters].sort(([, one], [, other]) => other - one)[0] ?? []
  const marked = (name: string) => all(pages, name).map((one) => words(one))
  return {
    lines: [...lines.values()].map(({ text, fonts }) => ({ text, isApart: !fonts.has(usual) })),
    bold: marked('b'),
    italic: marked('i'),
  }
}

const field = (told: string, name: string) => new RegExp(`^${name}:\\s+(.+)$`, 'm').exec(told)?.[1]?.trim()

/** Reads a PDF by Poppler, and raised marks by MuPDF. Headings are lines in another font than most. */
export const pdf: Reader = async (path) => {
  const laid = (await program('pdftotext', '-layout', path, '-')).toString()
  const told = (await program('pdfinfo', path)).toString()
  const urls = (await program('pdfinfo', '-url', path)).toString()
  const { lines, bold, italic } = await linesOf(path)
  const marks = (await program('mutool', 'draw', '-q', '-F', 'html', '-o', '-', path)).toString()
  let parted = laid
  for (const [, word, mark] of marks.matchAll(/([\p{L}\p{N}]+)(?:<\/span>)?<sup>(?:<span[^>]*>)?(\p{N}+)/gu))
    parted = parted.replaceAll(`${word}${mark}`, `${word} ${mark}`)
  const paper = await paperOf(path)
  return {
    text: parted,
    lines: parted.split('\n').map(tidy),
    title: field(told, 'Title') ?? '',
    author: field(told, 'Author') ?? '',
    headings: lines.filter(({ isApart }) => isApart).map(({ text }) => [0, text]),
    links: [...urls.matchAll(/^\s*\d+\s+Annotation\s+(\S+)/gm)].map(([, address]) => ['', address!]),
    bold,
    italic,
    page: [paper[0] * 25.4, paper[1] * 25.4],
    pictures: await picturesOf(path),
  }
}

/** Pictures with their soft masks, as MuPDF takes them out. */
const picturesOf = (path: string) =>
  withFolder(async (folder) => {
    // Poppler puts each soft mask behind its picture, as a file of its own.
    await program('pdfimages', '-png', path, join(folder, 'x'))
    const kinds = (await program('pdfimages', '-list', path))
      .toString()
      .split('\n')
      .slice(2)
      .map((line) => line.trim().split(/\s+/)[2])
    const names = (await readdir(folder)).sort()
    const pictures: Buffer[] = []
    for (const [index, name] of names.entries()) {
      if (kinds[index] !== 'image') continue
      const bytes = await readFile(join(folder, name))
      const mask = kinds[index + 1] === 'smask' ? await readFile(join(folder, names[index + 1]!)) : undefined
      pictures.push(mask ? await masked(bytes, mask) : bytes)
    }
    return pictures
  })

/** A picture with a mask as its alpha. */
async function masked(picture: Buffer, mask: Buffer): Promise<Buffer> {
  const opaque = sharp(picture).toColourspace('srgb').ensureAlpha().raw()
  const { data, info } = await opaque.toBuffer({ resolveWithObject: true })
  const { width, height } = info
  const alpha = await sharp(mask)
    .resize(width, height, { fit: 'fill' })
    .toColourspace('b-w')
    .extractChannel(0)
    .raw()
    .toBuffer()
  for (const [index, level] of alpha.entries()) data[index * 4 + 3] = level
  return sharp(data, { raw: { width, height, channels: 4 } })
    .png()
    .toBuffer()
}

/** Reads plain text. */
export const plain: Reader = async (path) => {
  const text = (await readFile(path, 'utf8')).replace(/^\ufeff/, '')
  if (text.includes('\ufffd')) throw new Error('it is not in UTF-8')
  return { text, lines: text.split('\n').map((line) => tidy(line)) }
}
