/** A PLY that assimp reads. It crashes at elements that it does not know, and skips edges. */
export function readablePly(bytes: Buffer): Buffer {
  const [header = ''] = /^[\s\S]*?\nend_header\r?\n/.exec(bytes.toString('latin1', 0, 65_536)) ?? []
  const known = header.replace(/^element (?!(?:vertex|face|tristrips|edge|material)\s)\S+/gm, 'element edge')
  // It takes a first byte of 10 in binary data for a part of the header.
  const isHidden = /^format binary/m.test(header) && bytes[header.length] === 10
  const own = isHidden ? `${known.replace(/^element /m, 'element edge 1\nproperty uchar vertex1\n$&')}*` : known
  return Buffer.concat([Buffer.from(own, 'latin1'), bytes.subarray(header.length)])
}
