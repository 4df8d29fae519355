import { isPlain, type Media, type Picture } from '../../engines/ffmpeg/media.ts'

/**
 * How to get a JPEG or PNG of a cover. `copy`: it is one. `decode`: FFmpeg decodes it. `sharp`: it has to be recognised
 * by its content, because the file does not name its kind rightly. `exiftool`: FFmpeg cannot even find it.
 */
export type CoverBy = 'copy' | 'decode' | 'sharp' | 'exiftool'

/** Kinds without loss, which FFmpeg makes PNG. */
const lossless: readonly (string | undefined)[] = ['bmp', 'gif', 'tiff']

export function coverBy({ covers: [cover], strangeCovers }: Media): CoverBy | undefined {
  if (!cover) return strangeCovers ? 'exiftool' : undefined
  if (isPlain(cover)) return 'copy'
  return lossless.includes(cover.codec) && cover.pixels ? 'decode' : 'sharp'
}

/** The kind of the picture that `coverBy` makes. */
export const coverKind = (by: CoverBy | undefined, cover: Picture | undefined): 'png' | 'jpeg' =>
  by === 'decode' || (by === 'copy' && cover?.codec === 'png') ? 'png' : 'jpeg'
