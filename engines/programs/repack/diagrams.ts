import { attributesOf, unescaped } from '../text/markup.ts'

/** Maximum number of points of a diagram, and of links between them. */
const MAX_POINTS = 2000
/** Maximum depth of points below each other. */
const MAX_DEPTH = 20

/** The texts of a diagram in the order in which it shows them, from its data (ECMA-376 part 1, §21.4.3). */
export function diagramTexts(data: string): string[] {
  const xml = data.replace(/<(\/?)[\w-]+:/g, '<$1')
  const points = xml
    .split('</pt>', MAX_POINTS)
    .slice(0, -1)
    .map((part) => part.slice(part.lastIndexOf('<pt ')))
  const texts = new Map(
    points.map((point) => [attributesOf(/^[^>]*/.exec(point)![0]).get('modelid') ?? '', textsOf(point)]),
  )
  const links = [...xml.matchAll(/<cxn\s[^<>]*>/g)].map(([tag]) => attributesOf(tag))
  const below = Map.groupBy(
    links.filter((link) => (link.get('type') ?? 'parOf') === 'parOf').slice(0, MAX_POINTS),
    (link) => link.get('srcid'),
  )
  const shown = new Set<string>()
  return [...texts.keys()].flatMap((id) => walk(id, 1))

  /** The texts of a point and of those below it, once each. */
  function walk(id: string, depth: number): string[] {
    if (shown.has(id) || depth > MAX_DEPTH) return []
    shown.add(id)
    const parts = below.get(id)?.toSorted((a, b) => Number(a.get('srcord')) - Number(b.get('srcord'))) ?? []
    return [...(texts.get(id) ?? []), ...parts.flatMap((part) => walk(part.get('destid') ?? '', depth + 1))]
  }
}

/** Its paragraphs that are not empty. */
const textsOf = (point: string) =>
  point
    .split('</p>')
    .map((line) => [...line.matchAll(/<t>([^<]*)<\/t>/g)].map(([, text]) => unescaped(text!)).join(''))
    .filter((text) => text.trim())
