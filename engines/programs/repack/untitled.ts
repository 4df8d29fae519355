/** What pandoc writes before a text: title, subtitle, authors, date and abstract, each in a paragraph of its style. */
const TEXT = {
  docx: {
    start: '<w:body>',
    paragraph:
      /\s*<w:p><w:pPr><w:pStyle w:val="(?:Title|Subtitle|Author|Date|AbstractTitle|Abstract)" \/><\/w:pPr>.*?<\/w:p>/sy,
  },
  odt: {
    start: '<office:text>',
    paragraph: /\s*<text:p text:style-name="(?:Title|Subtitle|Author|Date|Abstract)">.*?<\/text:p>/sy,
  },
}

/** Removes what describes a document from the start of its text; its properties keep it. */
export function untitled(xml: string, format: keyof typeof TEXT): string {
  const { start, paragraph } = TEXT[format]
  const at = xml.indexOf(start) + start.length
  if (at < start.length) return xml
  let end = at
  for (paragraph.lastIndex = at; paragraph.test(xml); ) end = paragraph.lastIndex
  return xml.slice(0, at) + xml.slice(end)
}
