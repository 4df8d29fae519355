import { SaxesParser } from 'saxes'
import { ServiceError } from '../errors.ts'
import { readPieces } from './answers.ts'
import type { Incoming } from './client.ts'
import { importFailed } from './failures.ts'

/** An element of a small XML document. */
export interface Element {
  name: string
  namespace: string
  text: string
  children: Element[]
}

/** Maximum number of elements in an answer, of attributes of one element, and maximum depth. */
const MAX = { elements: 100_000, attributes: 100, depth: 32 }

/**
 * Reads an XML answer with namespaces, while it arrives: at once, 8 MiB would stop the service for a second. Entities
 * that the document declares are an error: they could expand until memory runs out.
 *
 * @throws ServiceError IMPORT_FAILED.
 */
export async function readXml({ body }: Incoming, who: string): Promise<Element> {
  const top: Element = { name: '', namespace: '', text: '', children: [] }
  const open = [top]
  let elements = 0
  const parser = new SaxesParser({ xmlns: true })
  parser.on('error', (error) => {
    throw error
  })
  let attributes = 0
  // Before the element is complete: the parser takes seconds for an element with a million attributes.
  parser.on('attribute', () => {
    if (++attributes > MAX.attributes) throw new Error('too many attributes')
  })
  parser.on('opentag', ({ local, uri }) => {
    attributes = 0
    if (++elements > MAX.elements || open.length > MAX.depth) throw new Error('too many elements')
    const element: Element = { name: local, namespace: uri, text: '', children: [] }
    open.at(-1)?.children.push(element)
    open.push(element)
  })
  const append = (piece: string) => {
    const element = open.at(-1)
    if (element) element.text += piece
  }
  parser.on('text', append)
  parser.on('cdata', append)
  parser.on('closetag', () => void open.pop())
  try {
    for await (const piece of readPieces(body, who)) parser.write(piece)
    parser.close()
    const [root] = top.children
    if (!root) throw new Error('no element')
    return root
  } catch (cause) {
    if (cause instanceof ServiceError) throw cause
    throw importFailed(`${who} did not answer with the expected XML`, cause)
  }
}

/** Returns the children with a name. */
export const children = (element: Element | undefined, name: string) =>
  element?.children.filter((child) => child.name === name) ?? []

/** Returns the first element at a path of child names. */
export function child(element: Element | undefined, ...names: string[]): Element | undefined {
  return names.reduce<Element | undefined>((at, name) => children(at, name)[0], element)
}
