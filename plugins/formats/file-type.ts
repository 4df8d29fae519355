import { fileTypeFromBuffer } from 'file-type'
import type { Look, Verdict } from '../../kernel/contract.ts'
import { archives } from './archive/archives.ts'
import { books } from './book.ts'
import { listed } from './family.ts'
import { films } from './film/films.ts'
import { plans } from './model/models.ts'
import { texts } from './office/texts.ts'
import { cameraRaws } from './raster/camera-raw.ts'
import { pictures } from './raster/pictures.ts'
import { executable, font, unsupported } from './refusals.ts'

const families = { ...pictures, ...cameraRaws, ...texts, ...plans, ...books, ...films, ...archives }

/** Refused formats, by their name in file-type. */
const REFUSED: Record<string, Verdict> = {
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

const SAYS = new Map<string, Verdict>([
  ...listed(families, ({ fileType }) => (fileType ? [fileType] : [])),
  ...Object.entries(REFUSED),
])

/** Asks file-type, but only accepts answers based on signatures that text cannot contain by chance. */
export const fileType: Look = async ({ head }) => {
  const found = await fileTypeFromBuffer(head).catch(() => undefined)
  return found && SAYS.get(found.ext)
}
