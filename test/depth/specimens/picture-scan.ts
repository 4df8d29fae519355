import { readFile, writeFile } from 'node:fs/promises'
import sharp from 'sharp'
import { base, image, imageKinds } from '../../fixtures/image.ts'
import { ffmpeg, magick, program } from '../../fixtures/program.ts'
import { recipes } from '../../fixtures/variants.ts'
import { pixelsOf } from '../../matrix/decode.ts'
import type { Specimen } from '../family.ts'
import { fixed, photo, shows, specimen } from './bases.ts'
import { by, grey, greyed, told } from './picture-bases.ts'

type Make = Specimen['make']

const dicom =
  (...args: readonly string[]): ((input: string, output: string) => Promise<unknown>) =>
  (input, output) =>
    program('img2dcm', ...args, input, output)

/** DICOM whose pixels another program of DCMTK stores anew. */
const stored =
  (...call: readonly [string, ...string[]]) =>
  async (input: string, output: string, scratch: string) => {
    await program('img2dcm', '-i', 'BMP', input, `${scratch}/plain.dcm`)
    await program(...call, `${scratch}/plain.dcm`, output)
  }

const djvu = (name: string, features: readonly string[], make: Make, truth?: Specimen['truth']) =>
  specimen(name, 'DjVuLibre', features, make, truth)

const coded =
  (from: () => Promise<string>, coder: string, ...call: readonly [string, ...(string | number)[]]): Make =>
  async (output, scratch) => {
    await magick(await from(), ...(coder === 'PBM' ? ['-monochrome'] : []), `${coder}:${scratch}/in.pnm`)
    await program(...call, `${scratch}/in.pnm`, output)
  }

/** Scanners measure numbers with a sign. Viewers show the half in the middle of these, as the file tells them. */
const measured = (pixels: string) => `
(0002,0010) UI =LittleEndianExplicit
(0008,0016) UI =SecondaryCaptureImageStorage
(0008,0018) UI [1.2.3.4]
(0028,0002) US 1
(0028,0004) CS [MONOCHROME2]
(0028,0010) US 203
(0028,0011) US 301
(0028,0100) US 16
(0028,0101) US 16
(0028,0102) US 15
(0028,0103) US 1
(0028,1050) DS [0]
(0028,1051) DS [1024]
(0028,1052) DS [-1024]
(0028,1053) DS [1]
(7fe0,0010) OW =${pixels}
`
const windowed: Make = async (output, scratch) => {
  const { data } = await greyed()
  await writeFile(
    `${scratch}/pixels.raw`,
    Uint16Array.from({ length: data.length / 4 }, (_, at) => data[at * 4]! * 8),
  )
  await writeFile(`${scratch}/in.dump`, measured(`${scratch}/pixels.raw`).trimStart())
  await program('dump2dcm', `${scratch}/in.dump`, output)
}

const medical: readonly Specimen[] = [
  told('dcm', 'DCMTK'),
  fixed('lossless.dcm', 'DCMTK', [], imageKinds['lossless.dcm'], shows(base)),
  by('DCMTK', 'plain-rgb.dcm', photo, 'BMP3', dicom('-i', 'BMP')),
  by('DCMTK', 'runs.dcm', photo, 'BMP3', stored('dcmcrle')),
  specimen('window.dcm', 'DCMTK', [], windowed, {
    look: async () => pixelsOf(sharp(await magick(await photo(), ...grey, 'PNG:-')).linear(2, -128)),
  }),
  by('DCMTK', 'exact-jpeg.dcm', photo, 'BMP3', stored('dcmcjpeg')),
]

/** A list of offsets, then the pictures as PCX. */
const bundle: Make = async (output, scratch) => {
  await ffmpeg('-i', await photo(), '-pix_fmt', 'rgb24', `${scratch}/1.pcx`)
  await ffmpeg('-i', await base(), '-pix_fmt', 'monob', `${scratch}/2.pcx`)
  const pictures = await Promise.all([1, 2].map((page) => readFile(`${scratch}/${page}.pcx`)))
  const head = Buffer.alloc(4 + 1024 * 4)
  head.writeUInt32LE(0x3ade68b1, 0)
  let at = head.length
  for (const [index, { length }] of pictures.entries()) {
    head.writeUInt32LE(at, 4 + 4 * index)
    at += length
  }
  await writeFile(output, Buffer.concat([head, ...pictures]))
}

const paper: readonly Specimen[] = [
  told('dcx', 'ImageMagick'),
  fixed('pages.dcx', 'ImageMagick', ['pages'], recipes['pages.dcx'], shows(base)),
  specimen('ffmpeg.dcx', 'FFmpeg', ['pages'], bundle, shows(photo)),
  djvu('plain.djvu', [], image.djvu!.make, { ...shows(base), likeness: 24 }),
  djvu('pages.djvu', ['pages'], recipes['pages.djvu'].make, { ...shows(base), likeness: 24 }),
  djvu('fax.djvu', [], coded(photo, 'PBM', 'cjb2', '-dpi', 300), { ...shows(photo), likeness: 8 }),
  djvu('palette.djvu', [], coded(base, 'PPM', 'cpaldjvu', '-dpi', 100), { ...shows(base), likeness: 24 }),
]

/** Pictures of bodies and of paper. */
export const scanned: readonly Specimen[] = [...medical, ...paper]
