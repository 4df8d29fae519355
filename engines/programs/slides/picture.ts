/** Signatures of images that browsers can show, in base64. */
const kinds: readonly [start: string, type: string][] = [
  ['iVBORw0KGgo', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
]

/** An image from the element with its data. Empty for formats that browsers cannot show. */
export function pictureIn(element: string): string {
  const content = element.replace(/<[^>]*>/g, '').replace(/\s+/g, '')
  const type = kinds.find(([start]) => content.startsWith(start))?.[1]
  return type ? `<p><img src="data:${type};base64,${content}" alt=""></p>\n` : ''
}
