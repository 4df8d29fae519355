import type { Look } from '../../../kernel/contract.ts'

/** 3D Studio: the first chunk contains the whole file, and one of three kinds of chunks follows. */
export const threeDs: Look = ({ head, size }) => {
  const holdsAll = head.readUInt32LE(2) <= size && head.readUInt32LE(2) > 16
  const isMain = head.toString('latin1', 0, 2) === 'MM'
  return isMain && holdsAll && [0x0002, 0x3d3d, 0xb000].includes(head.readUInt16LE(6)) ? '3ds' : undefined
}

/**
 * Binary STL, by its size. Check it before anything that trusts the word "solid", which binary files can contain too.
 */
export const binaryStl: Look = ({ head, size }, hint) => {
  const facets = size >= 134 ? head.readUInt32LE(80) : 0
  const length = 84 + 50 * facets
  return facets > 0 && (length === size || (hint === 'stl' && length < size)) ? 'stl' : undefined
}
