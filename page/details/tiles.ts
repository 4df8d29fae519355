/** Pixels of a tile: whole blocks of each encoder. */
const SIDE = 128

/** Maximum number of tiles in a row and in a column. */
const MAX = 6

/** Bytes of a picture beyond which browsers take too long to decode it. */
const MAX_DECODED = 40_000_000

/** A part of a picture that tells how many bytes the whole takes. */
export interface Sample {
  /** @returns Bytes of the whole; undefined if the browser has no encoder for this type. */
  encoded(type: string, quality: number): Promise<number | undefined>
}

/** Takes tiles from everywhere in a picture, at its own resolution: smaller pictures have more details per pixel. */
export async function sampleOf(file: File): Promise<Sample | undefined> {
  if (file.size > MAX_DECODED) return undefined
  const whole = await createImageBitmap(file)
  const { width, height } = whole
  const columns = Math.min(MAX, Math.ceil(width / SIDE))
  const rows = Math.min(MAX, Math.ceil(height / SIDE))
  const canvas = new OffscreenCanvas(Math.min(width, columns * SIDE), Math.min(height, rows * SIDE))
  const context = canvas.getContext('2d')!
  // What is transparent becomes white, as at the service.
  context.fillStyle = '#fff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  const place = (at: number, count: number, length: number) =>
    count > 1 ? Math.round((at * (length - SIDE)) / (count - 1)) : 0
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const from = [place(column, columns, width), place(row, rows, height)] as const
      context.drawImage(whole, ...from, SIDE, SIDE, column * SIDE, row * SIDE, SIDE, SIDE)
    }
  }
  whole.close()
  const share = (canvas.width * canvas.height) / (width * height)
  return {
    async encoded(type, quality) {
      const { size, type: made } = await canvas.convertToBlob({ type, quality: quality / 100 })
      return made === type ? size / share : undefined
    },
  }
}
