import { extensions, type Family } from '../family.ts'

/** Audio. */
export const sounds = {
  mp3: { mime: 'audio/mpeg' },
  wav: { mime: 'audio/vnd.wave', aliases: ['wave'] },
  flac: { mime: 'audio/flac', signatures: ['fLaC'] },
  aac: { mime: 'audio/aac', signatures: ['ADIF'] },
  m4a: { mime: 'audio/mp4', brands: ['F4A '] },
  m4b: { mime: 'audio/x-m4b', label: 'M4B audiobook' },
  m4r: { mime: 'audio/x-m4r', label: 'M4R ringtone' },
  ogg: { mime: 'audio/ogg', aliases: ['oga'] },
  opus: { mime: 'audio/ogg; codecs=opus', label: 'Opus' },
  spx: { mime: 'audio/ogg; codecs=speex', label: 'Speex' },
  wma: { mime: 'audio/x-ms-wma' },
  aiff: { mime: 'audio/aiff', aliases: ['aif', 'aifc'] },
  amr: { mime: 'audio/AMR', aliases: ['awb'], signatures: ['#!AMR'], marks: [/^#!AMR/] },
  ac3: { mime: 'audio/ac3', label: 'AC-3', aliases: ['eac3', 'ec3'] },
  au: { mime: 'audio/basic', aliases: ['snd'], signatures: ['.snd', 'dns.'] },
  caf: { mime: 'audio/x-caf', signatures: ['caff'] },
  dts: {
    mime: 'audio/vnd.dts',
    signatures: ['\x7f\xfe\x80\x01', '\xfe\x7f\x01\x80', '\x1f\xff\xe8\0', '\xff\x1f\0\xe8', 'DTSHDHDR'],
  },
  ape: { mime: 'audio/x-ape', label: "Monkey's Audio", signatures: ['MAC '] },
  wv: { mime: 'audio/x-wavpack', label: 'WavPack', signatures: ['wvpk'] },
  mp2: { mime: 'audio/x-mp2' },
  mka: { mime: 'audio/matroska' },
  voc: { mime: 'audio/x-voc', signatures: ['Creative Voice File'] },
  ra: { mime: 'audio/vnd.rn-realaudio', label: 'RealAudio', signatures: ['.ra\xfd'] },
  weba: { mime: 'audio/webm', label: 'WebM audio' },
  tta: { mime: 'audio/x-tta', signatures: ['TTA1', 'TTA2'] },
} satisfies Family

/** All audio formats. */
export const sound = extensions(sounds)
