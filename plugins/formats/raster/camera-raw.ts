import { extensions, type Family } from '../family.ts'

const wanted = ['jpg', 'png', 'webp', 'tif', 'avif', 'heic', 'jxl', 'pdf']

/**
 * Camera raw files. Those based on TIFF are identified by the camera's maker, and by compressions that only raw files
 * have.
 */
export const cameraRaws = {
  dng: { mime: 'image/x-adobe-dng', tiff: {}, wanted },
  cr2: { mime: 'image/x-canon-cr2', tiff: {}, wanted },
  cr3: { mime: 'image/x-canon-cr3', brands: ['crx '], fileType: 'cr3', wanted },
  crw: { mime: 'image/x-canon-crw', signatures: [{ bytes: 'HEAPCCDR', at: 6 }], wanted },
  nef: { mime: 'image/x-nikon-nef', tiff: { maker: /^NIKON/i, compressions: [34713] }, wanted },
  arw: { mime: 'image/x-sony-arw', tiff: { maker: /^SONY/i, compressions: [32767] }, wanted },
  orf: { mime: 'image/x-olympus-orf', signatures: ['IIRO', 'IIRS', 'MMOR'], wanted },
  rw2: { mime: 'image/x-panasonic-rw2', signatures: ['IIU\0'], wanted },
  raf: { mime: 'image/x-fuji-raf', signatures: ['FUJIFILMCCD-RAW'], wanted },
  pef: { mime: 'image/x-pentax-pef', tiff: { maker: /^(PENTAX|RICOH)/i, compressions: [65535] }, wanted },
  srw: { mime: 'image/x-samsung-srw', tiff: { maker: /^SAMSUNG/i, compressions: [32770, 32772] }, wanted },
} satisfies Family

/** All camera raw formats. */
export const cameraRaw = extensions(cameraRaws)
