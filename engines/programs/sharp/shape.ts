import type { Sharp } from 'sharp'
import { describe } from './profile.ts'
import type { Picture } from './source.ts'
import type { Convert } from './spec.ts'

/** The pipeline of one picture before its encoder: upright, resized, in the right colour space, with its metadata. */
export function shape(picture: Picture, spec: Convert): Sharp {
  const { meta } = picture
  const profile = meta.icc && describe(meta.icc)
  const kept = profile?.rgb && !profile.srgb && !profile.hdr && spec.holds.profile
  // A conversion from sRGB to sRGB would only take time.
  let image = picture.open({ ignoreIcc: profile?.srgb === true })
  if (!picture.animation) image = image.autoOrient()
  if (spec.holds.opaque) image = image.flatten({ background: '#ffffff' })
  image = resized(image, picture, spec)
  image = image.toColourspace(space(picture, spec))
  if (!spec.strip) image = described(image, picture)
  if (kept) return image.keepIccProfile()
  const foreign = meta.space === 'cmyk' || (profile && !profile.srgb)
  // Otherwise, sharp would keep 16-bit pixels in Display P3, and the old profile on converted pixels.
  if (foreign && (!spec.strip || meta.depth === 'ushort')) return image.withIccProfile('srgb', { attach: false })
  return image
}

/** The size of the result in pixels. For fits that crop, pad or stretch, sharp does the rest. */
export function fitted({ width, height }: { width: number; height: number }, { box, holds }: Convert) {
  const both = box.width !== undefined && box.height !== undefined
  const exact = both && (box.fit === 'cover' || box.fit === 'contain' || box.fit === 'fill')
  const wanted = exact ? { width: box.width!, height: box.height! } : shrunk({ width, height }, box)
  const side = (holds.shrinks && holds.maxSide) || Infinity
  const factor = Math.min(1, side / Math.max(wanted.width, wanted.height))
  return {
    width: Math.max(1, Math.round(wanted.width * factor)),
    height: Math.max(1, Math.round(wanted.height * factor)),
    fit: exact ? box.fit : ('fill' as const),
  }
}

function shrunk(size: { width: number; height: number }, box: Convert['box']) {
  const factors = [(box.width ?? Infinity) / size.width, (box.height ?? Infinity) / size.height]
  const outside = box.fit === 'outside' && box.width !== undefined && box.height !== undefined
  const factor = Math.min(1, outside ? Math.max(...factors) : Math.min(...factors))
  return { width: size.width * factor, height: size.height * factor }
}

function resized(image: Sharp, picture: Picture, spec: Convert): Sharp {
  const { width, height, fit } = fitted(picture, spec)
  if (width === picture.width && height === picture.height) return image
  const background = spec.holds.opaque ? '#ffffff' : { r: 0, g: 0, b: 0, alpha: 0 }
  return image.resize({ width, height, fit, background })
}

function space({ meta, animation }: Picture, { holds, encoding }: Convert): string {
  const grey = holds.grey && meta.channels <= 2 && !animation
  const deep = holds.deep === 'opaque' ? !meta.hasAlpha : holds.deep
  if (deep && meta.depth === 'ushort' && !encoding.quality) return grey ? 'grey16' : 'rgb16'
  return grey ? 'b-w' : 'srgb'
}

/** Keeps EXIF, XMP, IPTC and comments. sharp resets the orientation in EXIF, but not in XMP. */
function described(image: Sharp, { meta, animation }: Picture): Sharp {
  // If there is nothing to keep, sharp would write its own EXIF block.
  if (!meta.exif && !meta.xmp && !meta.iptc && !meta.comments) return meta.icc ? image.keepIccProfile() : image
  const xmp = meta.xmpAsString
  const upright = !animation && xmp?.replace(/(tiff:Orientation\s*(?:=\s*["']|>\s*))[2-8]/g, '$11')
  const kept = image.keepMetadata()
  return upright && upright !== xmp ? kept.withXmp(upright) : kept
}
