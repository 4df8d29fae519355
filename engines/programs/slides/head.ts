import { unescaped } from '../text/markup.ts'

/** Properties of a document in OpenDocument (1.3 part 3, §4.3), and what pages call them. */
const PROPERTIES = [
  ['meta:initial-creator', 'author'],
  ['dc:subject', 'subject'],
  ['meta:keyword', 'keywords'],
] as const

/** What describes a flat OpenDocument: its title, and elements for the head of a page. */
export function headOf(xml: string): { title: string; head: string } {
  const meta = xml.split('<office:meta>', 2)[1]?.split('</office:meta>', 1)[0] ?? ''
  const values = (name: string) =>
    [...meta.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))].map(([, text]) => text!)
  const head = PROPERTIES.map(([name, called]) => [called, values(name).join(', ')])
    .filter(([, value]) => value)
    .map(([called, value]) => `<meta name="${called}" content="${value!.replaceAll('"', '&quot;')}">`)
  return { title: unescaped(values('dc:title')[0] ?? ''), head: head.join('') }
}
