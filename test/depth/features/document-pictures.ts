import sharp from 'sharp'
import { pixelsOf } from '../../matrix/decode.ts'
import type { Feature } from '../family.ts'
import { allNear, lacks } from './compare.ts'
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
  differs: (wanted, got) => lacks(wanted, got, isNear),
}

/** Undefined for metafiles, which sharp does not read. */
async function seen(picture: Buffer): Promise<string | undefined> {
  const { data } = await pixelsOf(sharp(picture)).catch(() => ({ data: undefined }))
  if (!data) return undefined
  const sums = [0, 0, 0]
  let opaque = 0
  for (let at = 0; at < data.length; at += 4) {
    if (data[at + 3]! < 128) continue
    opaque++
    for (const part of [0, 1, 2]) sums[part]! += data[at + part]!
  }
  const mean = sums.map((sum) => Math.round(sum / Math.max(1, opaque)))
  return `#${Buffer.from(mean).toString('hex')}${data[3]! < 16 ? ' on glass' : ''}`
}

const channels = (colour: string) => [...Buffer.from(colour.slice(1, 7), 'hex')]
const isNear = (one: string, other: string) =>
  one.slice(7) === other.slice(7) && allNear(channels(one), channels(other), () => 6)
