import type { XastElement } from 'svgo'

const TAG = /<(?:[\w.-]+:)?textPath[\s>]/

/** Whether a drawing has text along a path, which librsvg leaves out. */
export const hasTextPath = (drawing: Buffer): boolean =>
  drawing.includes('textPath') && TAG.test(drawing.toString('latin1'))

/** Whether an element is a text with a part along a path. */
export const isAlong = ({ name, children }: XastElement): boolean =>
  name === 'text' && children.some((child) => child.type === 'element' && hasPath(child))

const hasPath = ({ name, children }: XastElement): boolean =>
  name === 'textPath' || children.some((child) => child.type === 'element' && hasPath(child))
