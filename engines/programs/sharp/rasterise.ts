import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { deflate } from 'node:zlib'
import type { Sharp } from 'sharp'
import { readJpeg } from './jpeg.ts'
import { describe } from './profile.ts'
import { faxRaster, pngRaster, type Raster } from './raster.ts'
import { bilevel } from './settings.ts'
import { shape } from './shape.ts'
import type { Picture } from './source.ts'
import type { Convert, Paper } from './spec.ts'

/** What fits a PDF as it is stays so; what is lossy anyway becomes JPEG of this quality, if that is smaller. */
const quality = 90
/** Pixels of a picture that is compressed both ways, to see which is smaller. */
const max = 9e6
/** Compressions of TIFF that lose detail: JPEG, old and new. */
const lossyTiff: readonly (number | undefined)[] = [6, 7]

/** Makes the image of a page from a picture. */
export async function rasterise(picture: Picture, { jpeg, strip }: Paper): Promise<Raster> {
  const { meta } = picture
  const own = picture.file === undefined ? undefined : await unchanged(picture, picture.file, strip)
  if (own) {
    await verified(picture)
    return { ...own, icc: fitting(meta.icc, own.components), orientation: meta.orientation ?? 1 }
  }
  if (bilevel(meta)) return faxRaster(await fax(shape(picture, plain(true)), picture.height))
  if (meta.space === 'cmyk' && !meta.hasAlpha && meta.depth === 'uchar') return inks(picture)
  const profile = meta.icc && describe(meta.icc)
  const icc = profile?.rgb && !profile.srgb ? meta.icc : undefined
  const mask = meta.hasAlpha ? await opacity(picture) : undefined
  const chroma = jpeg ?? (lossyTiff.includes(picture.compression) ? '4:2:0' : undefined)
  const colours = await smallest(picture, chroma)
  return { ...colours, icc, mask }
}

/** JPEG and PNG files whose pixels a PDF holds as they are. */
async function unchanged(picture: Picture, path: string, strip: boolean): Promise<Raster | undefined> {
  const { format, width, height } = picture.meta
  if (format === 'png') {
    const raster = pngRaster(await readFile(path))
    if (!raster?.transparency) return raster
    // A colour that stands for clear pixels would need all its bits compared; a mask is simpler.
    const { transparency: _, ...colours } = raster
    return { ...colours, mask: await opacity(picture, false) }
  }
  if (format !== 'jpeg') return undefined
  const jpeg = readJpeg(await readFile(path), strip)
  if (!jpeg?.usual || ![1, 3, 4].includes(jpeg.components)) return undefined
  const inverted = jpeg.components === 4 && jpeg.adobe ? '/Decode[1 0 1 0 1 0 1 0]' : ''
  const plain = jpeg.named && !jpeg.adobe ? '/DecodeParms<</ColorTransform 0>>' : ''
  return {
    width,
    height,
    bits: 8,
    components: jpeg.components as Raster['components'],
    bytes: jpeg.bytes,
    coding: `/Filter/DCTDecode${plain}${inverted}`,
  }
}

/** Decodes all of a picture, because a reader of the PDF would show a damaged one in part. */
const verified = ({ open }: Picture) => open({ ignoreIcc: true }).resize(8, 8, { fit: 'fill' }).raw().toBuffer()

/** A profile, if it is one for pictures of so many components. */
const fitting = (icc: Buffer | undefined, components: Raster['components']) =>
  icc?.toString('latin1', 16, 20) === { 1: 'GRAY', 3: 'RGB ', 4: 'CMYK' }[components] ? icc : undefined

/** The shape of a page's picture: all its pixels, upright, in its own colours. */
const plain = (deep: boolean): Convert => ({
  task: 'convert',
  input: '',
  from: '',
  to: 'png',
  folder: '',
  pages: 'first',
  animate: false,
  box: { fit: 'inside' },
  holds: { deep, profile: true, grey: true },
  strip: true,
  encoding: {},
})

const fax = (image: Sharp, height: number) =>
  image.tiff({ compression: 'ccittfax4', bitdepth: 1, tileHeight: height }).toBuffer()

/** Opacity as an image of its own; none if all is opaque. */
async function opacity(picture: Picture, upright = true): Promise<Raster | undefined> {
  const image = picture.open({ ignoreIcc: true })
  const alpha = (upright ? image.autoOrient() : image).ensureAlpha().extractChannel('alpha').toColourspace('b-w')
  const { data, info } = await alpha.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true })
  if (data.every((value) => value === 255)) return undefined
  return deflated(data, info.width, info.height, 1)
}

/** Colours without alpha: without loss, or as JPEG where that is allowed and smaller. */
async function smallest(picture: Picture, chromaSubsampling: Paper['jpeg']): Promise<Raster> {
  const exact = async () => {
    const png = await shape(picture, plain(true)).removeAlpha().png({ adaptiveFiltering: true }).toBuffer()
    return pngRaster(png)!
  }
  if (!chromaSubsampling) return exact()
  const image = shape(picture, plain(false)).removeAlpha()
  const { data, info } = await image.jpeg({ quality, chromaSubsampling }).toBuffer({ resolveWithObject: true })
  const { bytes, components } = readJpeg(data, true)!
  const { width, height } = info
  const jpeg: Raster = { width, height, bits: 8, components: components as 1 | 3, bytes, coding: '/Filter/DCTDecode' }
  if (width * height > max) return jpeg
  const other = await exact()
  return size(other) < size(jpeg) ? other : jpeg
}

const size = ({ bytes }: Raster) => bytes.reduce((sum, part) => sum + part.length, 0)

/** The inks of a picture for print, with their profile. */
async function inks({ open, meta }: Picture): Promise<Raster> {
  const image = open({ ignoreIcc: true }).autoOrient().pipelineColourspace('cmyk').toColourspace('cmyk')
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true })
  return { ...(await deflated(data, info.width, info.height, 4)), icc: fitting(meta.icc, 4) }
}

/** Compresses samples of 8 bits, each as its difference from the pixel to its left (TIFF 6.0, section 14). */
async function deflated(data: Buffer, width: number, height: number, components: 1 | 4): Promise<Raster> {
  const row = width * components
  for (let end = data.length; end > 0; end -= row)
    for (let at = end - 1; at >= end - row + components; at--) data[at] = data[at]! - data[at - components]!
  const parms = `/DecodeParms<</Predictor 2/Colors ${components}/Columns ${width}>>`
  const bytes = [await promisify(deflate)(data)]
  return { width, height, bits: 8, components, bytes, coding: `/Filter/FlateDecode${parms}` }
}
