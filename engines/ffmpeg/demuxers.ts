/**
 * FFmpeg's demuxers by format, most likely first. One is always named, so that FFmpeg never guesses one from the
 * content: playlists and scripts under another name would make it open other files.
 */
export const demuxers: Readonly<Record<string, readonly string[]>> = {
  ...{ mp4: ['mov'], mov: ['mov'], '3gp': ['mov'], '3g2': ['mov'], f4v: ['mov'], m4a: ['mov'], m4b: ['mov'] },
  ...{ m4r: ['mov'], mkv: ['matroska'], webm: ['matroska'], mka: ['matroska'], weba: ['matroska'] },
  ...{ avi: ['avi'], wmv: ['asf'], asf: ['asf'], wma: ['asf'], flv: ['flv'], vob: ['mpeg'], ts: ['mpegts'] },
  // Without packs around it, a picture stream is all there is.
  mpg: ['mpeg', 'mpegvideo'],
  ...{ mts: ['mpegts'], m2ts: ['mpegts'], ogv: ['ogg'], ogg: ['ogg'], opus: ['ogg'], spx: ['ogg'], mxf: ['mxf'] },
  ...{ dv: ['dv'], rm: ['rm'], rmvb: ['rm'], ra: ['rm'], swf: ['swf'], gif: ['gif'] },
  ...{ mp3: ['mp3'], mp2: ['mp3'], wav: ['wav'], flac: ['flac'], aac: ['aac'], aiff: ['aiff'], amr: ['amr'] },
  ...{ ac3: ['ac3', 'eac3'], au: ['au'], caf: ['caf'], dts: ['dts', 'dtshd'], ape: ['ape'], wv: ['wv'] },
  ...{ voc: ['voc'], tta: ['tta'] },
  // Sequences of pictures are tracks, as films are.
  avif: ['mov'],
}
