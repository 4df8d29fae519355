import type { Paragraph } from '../model.ts'
import { familyOf } from './fonts.ts'
import { type Parts, paragraph } from './text.ts'

/** Collects the parts of one document. */
export function collect(font: string, size: number): Parts {
  const links = new Map<string, string>()
  const pictures = new Map<string, string>()
  const notes: string[] = []
  const starts: number[] = []
  let before: Paragraph | undefined
  const kept = (map: Map<string, string>, kind: string, value: string) => {
    if (!map.has(value)) map.set(value, `${kind}${map.size + 1}`)
    return map.get(value)!
  }
  const parts: Parts = {
    font: familyOf(font),
    size,
    links,
    pictures,
    notes,
    starts,
    dark: false,
    link: (href) => kept(links, 'link', href),
    picture: (src) => kept(pictures, 'picture', src),
    note(note) {
      const id = notes.push('') + 1
      const mark =
        '<w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:footnoteRef/></w:r><w:r><w:t xml:space="preserve"> </w:t></w:r>'
      const { list: _, heading: __, ...plain } = note
      notes[id - 2] =
        `<w:footnote w:id="${id}">${paragraph({ ...plain, left: 0, indent: 0 }, parts).replace('</w:pPr>', `</w:pPr>${mark}`)}</w:footnote>`
      return `<w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:footnoteReference w:id="${id}"/></w:r>`
    },
    list(item) {
      const { ordered, depth, number } = item.list!
      const goesOn =
        before?.list?.ordered && (depth > 0 || number === before.list.number + 1 || before.list.depth > depth)
      if (ordered && !goesOn) starts.push(number)
      before = item
      return ordered ? starts.length + 1 : 1
    },
  }
  return parts
}
