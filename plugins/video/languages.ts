/**
 * Languages that QuickTime has under other codes than ISO 639-2/T, as ffmpeg's muxer knows them. It leaves out languages
 * under their usual codes.
 */
export const quickTimeLanguages: Readonly<Record<string, string>> = {
  ...{ deu: 'ger', nld: 'dut', ell: 'gre', isl: 'ice', swe: 'sve', zho: 'chi', sqi: 'alb', hye: 'arm', kat: 'geo' },
  ...{ bod: 'tib', mya: 'bur', msa: 'may', cym: 'wel', eus: 'baq' },
}
