import { extensions, type Family } from '../family.ts'

/** Video. */
export const films = {
  mp4: { mime: 'video/mp4', aliases: ['m4v'], brands: ['M4V ', 'M4VH', 'M4VP'] },
  mkv: { mime: 'video/matroska' },
  webm: { mime: 'video/webm', label: 'WebM' },
  mov: { mime: 'video/quicktime', brands: ['qt  '] },
  avi: { mime: 'video/vnd.avi' },
  wmv: { mime: 'video/x-ms-wmv' },
  asf: { mime: 'application/vnd.ms-asf' },
  flv: { mime: 'video/x-flv', signatures: ['FLV\x01'] },
  f4v: { mime: 'video/x-f4v', brands: ['F4V ', 'F4P '] },
  mpg: { mime: 'video/mpeg', label: 'MPEG', aliases: ['mpeg', 'mpe', 'm2v', 'm1v'] },
  vob: { mime: 'video/x-ms-vob' },
  ts: { mime: 'video/mp2t' },
  mts: { mime: 'video/vnd.avchd-stream' },
  m2ts: { mime: 'video/x-m2ts' },
  '3gp': { mime: 'video/3gpp', aliases: ['3gpp'] },
  '3g2': { mime: 'video/3gpp2', aliases: ['3gpp2'] },
  ogv: { mime: 'video/ogg' },
  mxf: { mime: 'application/mxf', fileType: 'mxf' },
  dv: { mime: 'video/DV', signatures: [/^\x1f\x07\0[\x3f\xbf]/] },
  rm: { mime: 'application/vnd.rn-realmedia', label: 'RealMedia' },
  rmvb: { mime: 'application/vnd.rn-realmedia-vbr' },
  swf: { mime: 'application/vnd.adobe.flash.movie', signatures: [/^[FCZ]WS[\0-\x3f]/] },
} satisfies Family

/** All video formats. */
export const film = extensions(films)
