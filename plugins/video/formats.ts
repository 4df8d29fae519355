import type { Format } from '../../kernel/contract.ts'

/** Moving pictures. */
export const formats = {
  mp4: { mime: 'video/mp4', aliases: ['m4v'] },
  mkv: { mime: 'video/matroska' },
  webm: { mime: 'video/webm', label: 'WebM' },
  mov: { mime: 'video/quicktime' },
  avi: { mime: 'video/vnd.avi' },
  wmv: { mime: 'video/x-ms-wmv' },
  asf: { mime: 'application/vnd.ms-asf' },
  flv: { mime: 'video/x-flv' },
  f4v: { mime: 'video/x-f4v' },
  mpg: { mime: 'video/mpeg', label: 'MPEG', aliases: ['mpeg', 'mpe', 'm2v', 'm1v'] },
  vob: { mime: 'video/x-ms-vob' },
  ts: { mime: 'video/mp2t' },
  mts: { mime: 'video/vnd.avchd-stream' },
  m2ts: { mime: 'video/x-m2ts' },
  '3gp': { mime: 'video/3gpp', aliases: ['3gpp'] },
  '3g2': { mime: 'video/3gpp2', aliases: ['3gpp2'] },
  ogv: { mime: 'video/ogg' },
  mxf: { mime: 'application/mxf' },
  dv: { mime: 'video/DV' },
  rm: { mime: 'application/vnd.rn-realmedia', label: 'RealMedia' },
  rmvb: { mime: 'application/vnd.rn-realmedia-vbr' },
  swf: { mime: 'application/vnd.adobe.flash.movie' },
} satisfies Record<string, Format>
