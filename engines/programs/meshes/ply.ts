/** Elements that assimp knows. It crashes at others, and skips edges. */
const UNKNOWN = /^element (?!(?:vertex|face|tristrips|edge|material)\s)\S+/gm
const LONGEST = 65_536
const LINE_FEED = 10

/** A PLY that assimp reads. In binary data, it takes a first byte of 10 for a part of the header. */
export function readablePly(bytes: Buffer): Buffer {
  const head = bytes.toString('latin1', 0, LONGEST)
  const end = /^end_header\r?\n/m.exec(head)
  if (!end) return bytes
  const at = end.index + end[0].length
  const header = head.slice(0, at).replace(UNKNOWN, 'element edge')
  const isHidden = /^format binary/m.test(header) && bytes[at] === LINE_FEED
  const own = isHidden ? header.replace(/^element /m, 'element edge 1\nproperty uchar vertex1\n$&') : header
  return Buffer.concat([Buffer.from(isHidden ? `${own}*` : own, 'latin1'), bytes.subarray(at)])
}
