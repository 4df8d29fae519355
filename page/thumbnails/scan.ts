/** Bytes of a PDF in which the picture of its first page is looked for. */
const SEARCHED = 8_000_000

/** Bytes that the picture of a page has at least. Logos have less. */
const SMALLEST = 20_000

/** Returns the first JPEG of a PDF; of a scan, it is the first page. Undefined if there is none. */
export async function scanOf(pdf: Blob): Promise<Blob | undefined> {
  // One character for each byte.
  const text = new TextDecoder('latin1').decode(await pdf.slice(0, SEARCHED).arrayBuffer())
  const filter = text.indexOf('/DCTDecode')
  const start = text.indexOf('stream', filter)
  const end = text.indexOf('endstream', start)
  if (filter < 0 || start < 0 || end - start < SMALLEST) return undefined
  return pdf.slice(start + (text[start + 6] === '\r' ? 8 : 7), end, 'image/jpeg')
}

/** Whether a picture has the shape of a sheet of paper, upright or not: A4 is 1.41, Letter 1.29, Legal 1.65. */
export function isSheet({ width, height }: ImageBitmap): boolean {
  const ratio = Math.max(width, height) / Math.min(width, height)
  return ratio > 1.2 && ratio < 1.7
}
