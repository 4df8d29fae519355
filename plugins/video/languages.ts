/**
 * Languages that QuickTime has under other codes, as ffmpeg's muxer knows them. It leaves out languages under their
 * usual codes. The last line has those that Matroska writes otherwise (ISO 639-2/B).
 */
export const quickTimeLanguages: Readonly<Record<string, string>> = {
  deu: 'ger',
  nld: 'dut',
  ell: 'gre',
  isl: 'ice',
  swe: 'sve',
  zho: 'chi',
  sqi: 'alb',
  hye: 'arm',
  kat: 'geo',
  bod: 'tib',
  mya: 'bur',
  msa: 'may',
  cym: 'wel',
  eus: 'baq',
  fre: 'fra',
  cze: 'ces',
  slo: 'slk',
  rum: 'ron',
}
