/**
 * FFmpeg's demuxers by format, most likely first. Always name one: otherwise FFmpeg guesses from the content, and a
 * playlist under another name makes it open other files.
 */
export const demuxers: Readonly<Record<string, readonly string[]>> = {
  ...{ mp4: ['mov'], mov: ['mov'], '3gp': ['mov'], '3g2': ['mov'], f4v: ['mov'], m4a: ['mov'], m4b: ['mov'] },
  ...{ m4r: ['mov'], mkv: ['matroska'], webm: ['matroska'], mka: ['matroska'], weba: ['matroska'] },
  ...{ avi: ['avi'], wmv: ['asf'], asf: ['asf'], wma: ['asf'], flv: ['flv'], vob: ['mpeg'], ts: ['mpegts'] },
  // The second is a bare video stream, without audio.
  mpg: ['mpeg', 'mpegvideo'],
  ...{ mts: ['mpegts'], m2ts: ['mpegts'], ogv: ['ogg'], ogg: ['ogg'], opus: ['ogg'], spx: ['ogg'], mxf: ['mxf'] },
  ...{ dv: ['dv'], rm: ['rm'], rmvb: ['rm'], ra: ['rm'], swf: ['swf'], gif: ['gif'] },
  ...{ mp3: ['mp3'], mp2: ['mp3'], wav: ['wav'], flac: ['flac'], aac: ['aac'], aiff: ['aiff'], amr: ['amr'] },
  ...{ ac3: ['ac3', 'eac3'], au: ['au'], caf: ['caf'], dts: ['dts', 'dtshd'], ape: ['ape'], wv: ['wv'] },
  ...{ voc: ['voc'], tta: ['tta'] },
  // Image sequences are tracks, like videos.
  avif: ['mov'],
}
