import { fileTypeFromBuffer } from 'file-type'
import { executable, font, type LookIn, unsupported, type Verdict } from './verdict.ts'

/** What file-type says by a signature that needs no second look, and what it is called here. */
const SAYS: Record<string, Verdict> = {
  jpg: 'jpg',
  png: 'png',
  apng: 'apng',
  xcf: 'xcf',
  icns: 'icns',
  jxl: 'jxl',
  j2c: 'jp2',
  cr3: 'cr3',
  dwg: 'dwg',
  xz: 'xz',
  rtf: 'rtf',
  '7z': '7z',
  rar: 'rar',
  chm: 'chm',
  mxf: 'mxf',
  lzh: 'lha',
  iso: 'iso',
  exe: executable,
  elf: executable,
  macho: executable,
  class: executable,
  wasm: executable,
  otf: font,
  ttc: font,
  woff: font,
  woff2: font,
  eot: font,
  mid: unsupported('MIDI'),
  crx: unsupported('browser extension'),
  nes: unsupported('ROM'),
  pst: unsupported('Outlook'),
  parquet: unsupported('Parquet'),
  arrow: unsupported('Arrow'),
  avro: unsupported('Avro'),
  flif: unsupported('FLIF'),
  bpg: unsupported('BPG'),
  ktx: unsupported('KTX'),
  indd: unsupported('InDesign'),
  lnk: unsupported('shortcut'),
  pcap: unsupported('capture'),
  dsf: unsupported('DSD'),
  dff: unsupported('DSD'),
  icc: unsupported('colour profile'),
  skp: unsupported('SketchUp'),
  xm: unsupported('tracker'),
  ace: unsupported('ACE'),
  dat: unsupported('registry'),
  alias: unsupported('alias'),
  mie: unsupported('MIE'),
  jmp: unsupported('JMP'),
}

/** Asks file-type about the head, and believes it where its rule is a signature that text cannot have by chance. */
export const plainSignature: LookIn = async ({ head }) => {
  const found = await fileTypeFromBuffer(head).catch(() => undefined)
  return found && SAYS[found.ext]
}
