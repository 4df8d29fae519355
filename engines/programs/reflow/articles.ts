/** Beginnings of numbered parts of laws and contracts, from the largest: 第1章, 제1장, 第1条, 제1조, Article 1, § 1. */
const PARTS = [
  /^(第\s*[\d０-９〇一二三四五六七八九十百]+\s*[編编篇]|제\s*\d+\s*편)/u,
  /^(第\s*[\d０-９〇一二三四五六七八九十百]+\s*章|제\s*\d+\s*장)/u,
  /^(第\s*[\d０-９〇一二三四五六七八九十百]+\s*[節节]|제\s*\d+\s*절)/u,
  /^(第\s*[\d０-９〇一二三四五六七八九十百]+\s*[条條]|제\s*\d+\s*조|(Article|Artikel|Artículo|Artigo|Articolo|§)\s*\d+)(?!\d)/u,
] as const

/** How deep a numbered part is that a text begins with; undefined if it begins with none. */
export function partOf(text: string): number | undefined {
  const found = PARTS.findIndex((pattern) => pattern.test(text.trimStart()))
  return found < 0 ? undefined : found
}
