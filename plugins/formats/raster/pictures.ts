import { extensions, type Family, without } from '../family.ts'

const animation = ['gif', 'webp', 'mp4', 'apng', 'png', 'jpg', 'webm', 'avif']
const icon = ['png', 'jpg', 'ico', 'icns', 'webp', 'svg', 'bmp', 'pdf']

/** Raster images. Most need no label: the extension in capitals is enough. */
export const pictures = {
  jpg: {
    mime: 'image/jpeg',
    aliases: ['jpeg', 'jfif', 'jpe'],
    fileType: 'jpg',
    wanted: ['png', 'webp', 'pdf', 'avif', 'heic', 'tif', 'gif', 'bmp', 'ico', 'svg', 'jxl', 'docx'],
  },
  png: { mime: 'image/png', fileType: 'png' },
  apng: { mime: 'image/apng', fileType: 'apng', wanted: animation },
  webp: {
    mime: 'image/webp',
    label: 'WebP',
    wanted: ['png', 'jpg', 'gif', 'avif', 'pdf', 'apng', 'tif', 'heic', 'mp4'],
  },
  avif: { mime: 'image/avif', brands: ['avif', 'avis'] },
  heic: {
    mime: 'image/heic',
    aliases: ['heif', 'hif'],
    brands: ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'hevm', 'hevs', 'jpeg'],
  },
  gif: { mime: 'image/gif', wanted: animation },
  bmp: { mime: 'image/bmp', aliases: ['dib'] },
  tif: {
    mime: 'image/tiff',
    label: 'TIFF',
    aliases: ['tiff'],
    wanted: ['pdf', 'jpg', 'png', 'webp', 'jp2', 'avif', 'heic', 'psd', 'bmp', 'jxl'],
  },
  ico: { mime: 'image/vnd.microsoft.icon', wanted: icon },
  cur: { mime: 'image/x-win-bitmap', wanted: icon },
  icns: { mime: 'image/icns', fileType: 'icns', wanted: icon },
  jxl: { mime: 'image/jxl', label: 'JPEG XL', brands: ['jxl ', 'JXL '], fileType: 'jxl' },
  jp2: {
    mime: 'image/jp2',
    label: 'JPEG 2000',
    aliases: ['j2k', 'jpf', 'jpx', 'j2c', 'jpc'],
    brands: ['jp2 ', 'jpx ', 'jpm '],
    signatures: ['\xff\x4f\xff\x51'],
    fileType: 'j2c',
  },
  jxr: { mime: 'image/jxr', label: 'JPEG XR', aliases: ['wdp', 'hdp'], signatures: ['II\xbc\x01'] },
  psd: {
    mime: 'image/vnd.adobe.photoshop',
    signatures: ['8BPS\0\x01'],
    wanted: ['png', 'jpg', 'webp', 'tif', 'pdf', 'avif', 'svg', 'jxl'],
  },
  psb: { mime: 'application/x-photoshop-large-document', signatures: ['8BPS\0\x02'] },
  xcf: { mime: 'image/x-xcf', fileType: 'xcf' },
  tga: { mime: 'image/x-tga', hints: ['icb', 'vda', 'vst'] },
  pcx: { mime: 'image/x-pcx' },
  dcx: { mime: 'image/x-dcx', signatures: ['\xb1\x68\xde\x3a'] },
  ppm: { mime: 'image/x-portable-pixmap' },
  pgm: { mime: 'image/x-portable-graymap' },
  pbm: { mime: 'image/x-portable-bitmap' },
  pam: { mime: 'image/x-portable-arbitrarymap' },
  pnm: { mime: 'image/x-portable-anymap' },
  pfm: { mime: 'image/x-portable-floatmap' },
  xbm: { mime: 'image/x-xbitmap' },
  xpm: { mime: 'image/x-xpixmap', marks: [/^((\/\*[^*]{0,500}\*\/\s*){0,5}\/\* ?XPM ?\*\/|! XPM2)/] },
  wbmp: { mime: 'image/vnd.wap.wbmp' },
  sgi: { mime: 'image/x-sgi', aliases: ['rgb', 'rgba', 'bw'] },
  ras: { mime: 'image/x-cmu-raster', label: 'Sun raster', signatures: ['\x59\xa6\x6a\x95'] },
  xwd: { mime: 'image/x-xwindowdump' },
  dpx: { mime: 'image/x-dpx', signatures: ['SDPX', 'XPDS'] },
  cin: { mime: 'image/x-cineon', label: 'Cineon', signatures: ['\x80\x2a\x5f\xd7', '\xd7\x5f\x2a\x80'] },
  exr: { mime: 'image/x-exr', label: 'OpenEXR', signatures: ['v/1\x01'] },
  hdr: {
    mime: 'image/vnd.radiance',
    label: 'Radiance HDR',
    signatures: ['#?RADIANCE', '#?RGBE'],
    marks: [/^#\?(RADIANCE|RGBE)/],
  },
  dds: { mime: 'image/vnd.ms-dds', signatures: ['DDS '] },
  fits: {
    mime: 'image/fits',
    aliases: ['fit', 'fts'],
    signatures: ['SIMPLE  ='],
    marks: [/^SIMPLE {2}= {20}T/],
  },
  qoi: { mime: 'image/qoi' },
  jls: { mime: 'image/jls', label: 'JPEG-LS', signatures: ['\xff\xd8\xff\xf7'] },
  mng: { mime: 'video/x-mng', signatures: ['\x8aMNG\r\n\x1a\n'], wanted: animation },
  jng: { mime: 'image/x-jng', signatures: ['\x8bJNG\r\n\x1a\n'] },
  pict: { mime: 'image/x-pict', aliases: ['pct', 'pic'] },
  pcd: { mime: 'image/x-photo-cd', label: 'Photo CD', signatures: [{ bytes: 'PCD_', at: 2048 }] },
  dcm: {
    mime: 'application/dicom',
    label: 'DICOM',
    aliases: ['dicom'],
    signatures: [{ bytes: 'DICM', at: 128 }, '\x02\0\0\0UL\x04\0'],
  },
  jb2: { mime: 'image/x-jbig2', label: 'JBIG2', aliases: ['jbig2'], signatures: ['\x97JB2\r\n\x1a\n'] },
  miff: { mime: 'image/x-miff', signatures: ['id=ImageMagick'], marks: [/^id=ImageMagick/] },
} satisfies Family

/** Images that browsers and most programs can show. */
export const usualPictures = ['jpg', 'png', 'webp', 'avif', 'gif'] as const

/** Images that only some programs can show. */
export const specialPictures = without(extensions(pictures), ...usualPictures)

/** Pictures that the worker of sharp reads. */
export const readable = ['jpg', 'png', 'webp', 'gif', 'tif', 'avif', 'apng']

/** Other pictures that people take of pages, or scan them to. They become TIFF first. */
export const scannable = ['heic', 'bmp', 'jp2', 'jxl', 'psd', 'jb2', 'ppm', 'pgm', 'pbm', 'pnm']
