import sharp from 'sharp'
import type { Feature } from '../family.ts'
import { lostInText, toPdf, writingOf } from './document-writing.ts'

/** Mean colour of what is opaque in each picture, as `#rrggbb`, and whether a corner is transparent. */
export const pictures: Feature<readonly string[]> = {
  name: 'pictures',
  documented: 'Plain text has no headings, links, emphasis, title and author, and no pictures',
  rule: lostInText(toPdf),
  read: async (subject) => {
    const found = (await writingOf(subject))?.pictures
    return found && (await Promise.all(found.map(seen))).filter((one) => one !== undefined)
  },
  differs: (wanted, got = []) => {
    const lost = wanted.filter((picture) => !got.some((other) => isNear(picture, other)))
    return lost.length > 0 ? `no ${lost.join(', ')} among ${got.join(', ')}` : undefined
  },
}

/** Undefined for metafiles, which sharp does not read. */
async function seen(picture: Buffer): Promise<string | undefined> {
  const isRaster = await sharp(picture)
    .metadata()
    .then(
      () => true,
      () => false,
    )
  if (!isRaster) return undefined
  const { data } = await sharp(picture).toColourspace('srgb').ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  const sums = [0, 0, 0]
  let opaque = 0
  for (let at = 0; at < data.length; at += 4) {
    if (data[at + 3]! < 128) continue
    opaque++
    for (const part of [0, 1, 2]) sums[part]! += data[at + part]!
  }
  const colour = sums
    .map((sum) =>
      Math.round(sum / Math.max(1, opaque))
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')
  return `#${colour}${data[3]! < 16 ? ' on glass' : ''}`
}

const isNear = (one: string, other: string) =>
  one.slice(7) === other.slice(7) &&
  [1, 3, 5].every(
    (at) => Math.abs(Number.parseInt(one.slice(at, at + 2), 16) - Number.parseInt(other.slice(at, at + 2), 16)) <= 6,
  )
