/** The first plane of an image. The first row is at the bottom. */
export interface Image {
  width: number
  height: number
  /** The value of a pixel, scaled as the header says. NaN if it has none. */
  valueAt: (index: number) => number
  /** The range of the pixels' type, if they are integers. */
  whole: { low: number; high: number } | undefined
}

const BLOCK = 2880
const CARD = 80

/** Finds the first image: the primary one, or an extension if that is empty (FITS 4.0, sections 3 and 7.1). */
export function imageOf(file: Buffer): Image {
  for (let at = 0; at < file.length; ) {
    const { cards, start } = header(file, at)
    const number = (keyword: string, otherwise = 0) => Number.parseFloat(cards.get(keyword) ?? '') || otherwise
    const sides = Array.from({ length: number('NAXIS') }, (_, axis) => number(`NAXIS${axis + 1}`))
    const [width = 0, height = 0] = sides
    const bits = number('BITPIX')
    if (width * height > 0 && /^$|IMAGE/.test(cards.get('XTENSION') ?? '')) {
      if (width > 16_384 || height > 16_384) throw new Error('larger than pictures may be')
      const scale = number('BSCALE', 1)
      const zero = number('BZERO')
      const raw = reader(file.subarray(start), bits, width * height)
      const ends = [-(2 ** (bits - 1)), 2 ** (bits - 1) - 1].map((end) => end * scale + zero)
      const whole = bits > 0 ? { low: ends[0]!, high: ends[1]! } : undefined
      return { width, height, whole, valueAt: (index) => raw(index) * scale + zero }
    }
    const values = sides.length > 0 ? sides.reduce((product, side) => product * side, 1) + number('PCOUNT') : 0
    at = start + Math.ceil((values * number('GCOUNT', 1) * Math.abs(bits)) / 8 / BLOCK) * BLOCK
  }
  throw new Error('no image in it')
}

/** The values of a header's keywords as text, and where its data start. */
function header(file: Buffer, from: number): { cards: Map<string, string>; start: number } {
  const cards = new Map<string, string>()
  for (let at = from; at + CARD <= file.length; at += CARD) {
    const card = file.toString('latin1', at, at + CARD)
    const keyword = card.slice(0, 8).trim()
    if (keyword === 'END') return { cards, start: from + Math.ceil((at + CARD - from) / BLOCK) * BLOCK }
    if (card[8] === '=') cards.set(keyword, card.slice(9).split('/')[0]!.trim())
  }
  throw new Error('a header without an end')
}

function reader(data: Buffer, bits: number, count: number): (index: number) => number {
  if ((count * Math.abs(bits)) / 8 > data.length) throw new Error('the image breaks off')
  if (bits === 8) return (index) => data[index]!
  if (bits === 16) return (index) => data.readInt16BE(2 * index)
  if (bits === 32) return (index) => data.readInt32BE(4 * index)
  if (bits === -32) return (index) => data.readFloatBE(4 * index)
  if (bits === -64) return (index) => data.readDoubleBE(8 * index)
  throw new Error('another kind of number')
}
