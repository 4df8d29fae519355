import { createWriteStream } from 'node:fs'
import { extname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import { coreProperties, type Facts, relationships } from '../docx/package.ts'
import { around, type Block, type Document, height, type Page, type Paragraph, width } from '../model.ts'
import { LAYOUT, MASTER, NAMESPACES, THEME } from './master.ts'
import { area, grouped, picture, table, textBox } from './shapes.ts'
import { emu } from './text.ts'

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const TYPE = 'application/vnd.openxmlformats-officedocument.presentationml'
const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

/** Most filled areas of a slide that are drawn. */
const MAX_AREAS = 300

type Relation = readonly [id: string, type: string, target: string, external?: boolean]

/** The left edge of what stands right of a group, or the right edge of the page. */
function limitOf(group: readonly Block[], blocks: readonly Block[], page: Page): number {
  const [, top, right, bottom] = around(group.map(({ box }) => box))
  const beside = blocks.filter(({ box }) => box[0] >= right - 1 && box[1] < bottom && box[3] > top)
  return Math.min(page.bounds[2], ...beside.map(({ box }) => box[0]))
}

/** A slide, and what it refers to. */
function slide(
  page: Page,
  blocks: readonly Block[],
  media: Map<string, string>,
): { xml: string; relations: Relation[] } {
  const relations: Relation[] = [['layout', `${OFFICE}/slideLayout`, '../slideLayouts/slideLayout1.xml']]
  const related = (type: string, target: string, external: boolean) => {
    const known = relations.find((one) => one[2] === target)
    if (known) return known[0]
    relations.push([`rel${relations.length}`, `${OFFICE}/${type}`, target, external])
    return relations.at(-1)![0]
  }
  const link = (href: string) => related('hyperlink', href, true)
  let id = 1
  const tables = blocks.filter(({ kind }) => kind === 'table')
  const inTable = ([x0, y0, x1, y1]: readonly [number, number, number, number, string]) =>
    tables.some(({ box }) => x0 > box[0] - 3 && y0 > box[1] - 3 && x1 < box[2] + 3 && y1 < box[3] + 3)
  const areas = page.boxes.filter((box) => !inTable(box)).slice(0, MAX_AREAS)
  const paragraphs = blocks.filter((block): block is Paragraph => block.kind === 'paragraph')
  const upper = paragraphs.filter(({ box, heading }) => heading && box[1] < page.bounds[1] + 0.45 * height(page.bounds))
  const title = upper.toSorted((a, b) => b.size - a.size)[0]
  const shapes = grouped(blocks).map((group) => {
    const [block] = group as [Block]
    id++
    if (block.kind === 'table') return table(block, page, id, link)
    if (block.kind === 'paragraph')
      return textBox(group as Paragraph[], page, id, {
        title: group.includes(title!),
        limit: limitOf(group, blocks, page),
        link,
      })
    if (!media.has(block.src)) media.set(block.src, `media/image${media.size + 1}${extname(block.src)}`)
    return picture(block, page.bounds, id, related('image', `../${media.get(block.src)}`, false))
  })
  const drawn = areas.map((box) => area(box, page.bounds, ++id))
  // Pictures are behind text.
  const sorted = [
    ...drawn,
    ...shapes.filter((one) => one.startsWith('<p:pic>')),
    ...shapes.filter((one) => !one.startsWith('<p:pic>')),
  ]
  const tree = `<p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>${sorted.join('')}`
  return {
    xml: `<p:sld ${NAMESPACES}><p:cSld><p:spTree>${tree}</p:spTree></p:cSld><p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:sld>`,
    relations,
  }
}

/** Writes a slide for each page, with text, tables and pictures where they are on the page. */
export async function writePptx(
  { sections }: Document,
  pages: readonly (Page | null)[],
  facts: Facts,
  pathOf: (src: string) => string,
  output: string,
): Promise<void> {
  const blocks = sections.flatMap(({ pages }) => pages)
  const shown = pages.filter((page) => page !== null)
  const media = new Map<string, string>()
  const slides = shown.map((page, index) => slide(page, blocks[index]!, media))
  const [wide, high] = [width(shown[0]!.bounds), height(shown[0]!.bounds)].map((side) =>
    emu(Math.min(4032, Math.max(72, side))),
  )
  const numbers = slides.map((_, index) => index + 1)
  const override = (name: string, type: string) =>
    `<Override PartName="/ppt/${name}.xml" ContentType="${TYPE}.${type}+xml"/>`
  const files: Record<string, string> = {
    '[Content_Types].xml': `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/><Default Extension="jpg" ContentType="image/jpeg"/>${override('presentation', 'presentation.main')}${override('slideMasters/slideMaster1', 'slideMaster')}${override('slideLayouts/slideLayout1', 'slideLayout')}<Override PartName="/ppt/theme/theme1.xml" ContentType="application/vnd.openxmlformats-officedocument.theme+xml"/>${numbers.map((number) => override(`slides/slide${number}`, 'slide')).join('')}<Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/></Types>`,
    '_rels/.rels': relationships([
      ['document', `${OFFICE}/officeDocument`, 'ppt/presentation.xml'],
      [
        'core',
        'http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties',
        'docProps/core.xml',
      ],
    ]),
    'docProps/core.xml': coreProperties(facts),
    'ppt/presentation.xml': `<p:presentation ${NAMESPACES}><p:sldMasterIdLst><p:sldMasterId id="2147483648" r:id="master"/></p:sldMasterIdLst><p:sldIdLst>${numbers.map((number) => `<p:sldId id="${255 + number}" r:id="slide${number}"/>`).join('')}</p:sldIdLst><p:sldSz cx="${wide}" cy="${high}"/><p:notesSz cx="6858000" cy="9144000"/></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relationships([
      ['master', `${OFFICE}/slideMaster`, 'slideMasters/slideMaster1.xml'],
      ['theme', `${OFFICE}/theme`, 'theme/theme1.xml'],
      ...numbers.map((number) => [`slide${number}`, `${OFFICE}/slide`, `slides/slide${number}.xml`] as const),
    ]),
    'ppt/theme/theme1.xml': THEME,
    'ppt/slideMasters/slideMaster1.xml': MASTER,
    'ppt/slideMasters/_rels/slideMaster1.xml.rels': relationships([
      ['layout', `${OFFICE}/slideLayout`, '../slideLayouts/slideLayout1.xml'],
      ['theme', `${OFFICE}/theme`, '../theme/theme1.xml'],
    ]),
    'ppt/slideLayouts/slideLayout1.xml': LAYOUT,
    'ppt/slideLayouts/_rels/slideLayout1.xml.rels': relationships([
      ['master', `${OFFICE}/slideMaster`, '../slideMasters/slideMaster1.xml'],
    ]),
  }
  for (const [index, { xml, relations }] of slides.entries()) {
    files[`ppt/slides/slide${index + 1}.xml`] = xml
    files[`ppt/slides/_rels/slide${index + 1}.xml.rels`] = relationships(relations)
  }
  const zip = new ZipFile()
  for (const name of Object.keys(files).sort())
    zip.addBuffer(Buffer.from(DECLARATION + files[name]), name, { mode: 0o100644 })
  for (const [src, name] of media) zip.addFile(pathOf(src), `ppt/${name}`, { compress: false, mode: 0o100644 })
  zip.end()
  await pipeline(zip.outputStream, createWriteStream(output))
}
