import type { XastElement } from 'svgo'

const TEXT_PATH = /<(?:[\w.-]+:)?textPath[\s>]/
const FOREIGN = /<(?:[\w.-]+:)?foreignObject[\s>]/

/** Whether a drawing has text along a path, which librsvg leaves out. */
export const hasTextPath = (drawing: Buffer): boolean =>
  drawing.includes('textPath') && TEXT_PATH.test(drawing.toString('latin1'))

/** Whether a drawing has parts in HTML, such as the labels of diagrams, which only browsers draw. */
export const hasHtml = (drawing: Buffer): boolean =>
  drawing.includes('foreignObject') &&
  drawing.includes('http://www.w3.org/1999/xhtml') &&
  FOREIGN.test(drawing.toString('latin1'))

/** Whether an element is a text with a part along a path. */
export const isAlong = ({ name, children }: XastElement): boolean =>
  name === 'text' && children.some((child) => child.type === 'element' && hasPath(child))

const hasPath = ({ name, children }: XastElement): boolean =>
  name === 'textPath' || children.some((child) => child.type === 'element' && hasPath(child))
