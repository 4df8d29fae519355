/** A box of an ISO base media file (ISO 14496-12), in memory. */
export interface Box {
  kind: string
  body: Buffer
}

/** Thrown where a file is not as plain as a reader of heads requires: ffprobe then describes it. */
export class NotPlain extends Error {}

/** Throws NotPlain unless `condition` holds. */
export function plainIf(condition: unknown): asserts condition {
  if (!condition) throw new NotPlain()
}

/** Most boxes in one: real files have few, and the service reads them itself. */
const MOST = 256

/** The boxes in a box, which must fill it. @throws NotPlain if there are others than `allowed`, or too many */
export function boxesIn(body: Buffer, allowed: readonly string[]): Box[] {
  const found: Box[] = []
  for (let at = 0; at < body.length; ) {
    plainIf(at + 8 <= body.length && found.length < MOST)
    const size = body.readUInt32BE(at)
    const kind = body.toString('latin1', at + 4, at + 8)
    plainIf(size >= 8 && at + size <= body.length && allowed.includes(kind))
    found.push({ kind, body: body.subarray(at + 8, at + size) })
    at += size
  }
  return found
}

/** The only box of a kind. @throws NotPlain if there is none, or several */
export function only(boxes: readonly Box[], kind: string): Buffer {
  const [first, ...more] = boxes.filter((box) => box.kind === kind)
  plainIf(first && more.length === 0)
  return first.body
}

/** The only box of a kind, if there is one. @throws NotPlain if there are several */
export const optional = (boxes: readonly Box[], kind: string): Buffer | undefined =>
  boxes.some((box) => box.kind === kind) ? only(boxes, kind) : undefined
