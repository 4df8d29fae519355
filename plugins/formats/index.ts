import type { Recogniser } from '../../kernel/contract.ts'
import { archives } from './archive/archives.ts'
import { brotli, compressed, gzipped, zstandard } from './archive/packed.ts'
import { disc, rar, sevenZip, shortMark, tar } from './archive/structure.ts'
import { zipBehind } from './archive/zip-behind.ts'
import { books } from './book.ts'
import { boxBrands, isBoxes } from './containers/boxes.ts'
import { compoundStreams } from './containers/compound.ts'
import { matroskaTracks } from './containers/matroska.ts'
import { isPalm, kindle, palmBook } from './containers/palm.ts'
import { asfStreams, djvuForm, iffForm, oggStreams, realMedia, riffForm } from './containers/streams.ts'
import { tiffDirectory } from './containers/tiff.ts'
import { zipMembers } from './containers/zip-members.ts'
import { drawings } from './drawing.ts'
import { listed } from './family.ts'
import { fileType } from './file-type.ts'
import { films } from './film/films.ts'
import { dolbyFrames, programStream, transportStream } from './film/mpeg.ts'
import { mxf } from './film/mxf.ts'
import { tableDirectory } from './font.ts'
import { guess, json, markedXml, xmlAndHtml } from './markup/looks.ts'
import { data, markups, plainText, webPages } from './markup/markups.ts'
import { binaryStl, threeDs } from './model/binary.ts'
import { meshes, plans, programs, solids } from './model/models.ts'
import { modelText } from './model/text.ts'
import { diagrams } from './office/diagrams.ts'
import { mailText } from './office/mail.ts'
import { mails } from './office/mails.ts'
import { sheets } from './office/sheets.ts'
import { slides } from './office/slides.ts'
import { olderTexts, texts } from './office/texts.ts'
import { pages } from './page/pages.ts'
import { portableDocument, postScript } from './page/postscript.ts'
import { cameraRaws } from './raster/camera-raw.ts'
import { rasterHeader, targa, wirelessBitmap, xBitmap } from './raster/headers.ts'
import { pictures } from './raster/pictures.ts'
import { claimedIWork } from './refusals.ts'
import { refusedMarks, refusedSignatures } from './refused.ts'
import { audioFrames, broadcastAudio } from './sound/frames.ts'
import { sounds } from './sound/sounds.ts'

/** Every format that ships, by canonical extension. */
export const formats = {
  ...pictures,
  ...cameraRaws,
  ...drawings,
  ...plans,
  ...solids,
  ...meshes,
  ...programs,
  ...texts,
  ...plainText,
  ...webPages,
  ...markups,
  ...pages,
  ...sheets,
  ...slides,
  ...diagrams,
  ...olderTexts,
  ...data,
  ...mails,
  ...books,
  ...sounds,
  ...films,
  ...archives,
}

const starts = (pattern: RegExp) => (head: Buffer) => pattern.test(head.toString('latin1', 0, 16))

/** Signatures that several formats share, and functions that look inside to identify the format. */
const containers: Recogniser[] = [
  { when: 'bytes', starts: starts(/^PK(\x03\x04|\x05\x06|\x07\x08PK\x03\x04|00PK\x03\x04)/), look: zipMembers },
  { when: 'bytes', starts: starts(/^\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1/), look: compoundStreams },
  { when: 'bytes', starts: isBoxes, look: boxBrands },
  { when: 'bytes', starts: starts(/^\x1a\x45\xdf\xa3/), look: matroskaTracks },
  { when: 'bytes', starts: starts(/^(RIFF|RIFX|RF64|BW64)/), look: riffForm },
  { when: 'bytes', starts: starts(/^FORM/), look: iffForm },
  { when: 'bytes', starts: starts(/^AT&TFORM/), look: djvuForm },
  { when: 'bytes', starts: starts(/^OggS/), look: oggStreams },
  { when: 'bytes', starts: starts(/^\x30\x26\xb2\x75\x8e\x66\xcf\x11/), look: asfStreams },
  { when: 'bytes', starts: starts(/^\.RMF/), look: realMedia },
  { when: 'bytes', starts: starts(/^(II[*+]\0|MM\0[*+])/), look: tiffDirectory },
  { when: 'bytes', starts: isPalm, look: palmBook },
  { when: 'bytes', starts: starts(/^(TPZ[0-9]|CONT|\xeaDRMION)/), look: kindle },
  { when: 'bytes', starts: starts(/^Rar!\x1a\x07/), look: rar },
  { when: 'bytes', starts: starts(/^7z\xbc\xaf\x27\x1c/), look: sevenZip },
  { when: 'bytes', starts: starts(/^\x1f\x8b\x08/), look: gzipped },
  { when: 'bytes', starts: starts(/^(\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18)/), look: zstandard },
  { when: 'bytes', starts: starts(/^(MZ|\x7fELF|#!)/), look: zipBehind },
  { when: 'bytes', starts: starts(/^ID3/), look: audioFrames },
  { when: 'bytes', starts: starts(/^\x0b\x77/), look: dolbyFrames },
]

/** Formats with a weak signature or none at the start: checked by a length, a checksum or a place deep inside. */
const structures = [shortMark, threeDs, tableDirectory, mxf, binaryStl, tar, disc, targa]

/** Formats without a signature: chains of frames, and names that the bytes do not contradict. */
const weak = [wirelessBitmap, audioFrames, broadcastAudio, brotli, zipBehind]

const bytes = (...looks: (typeof structures)[number][]) => looks.map((look): Recogniser => ({ when: 'bytes', look }))

/** The steps of detection, most reliable first. */
const steps: readonly Recogniser[] = [
  { when: 'any', look: claimedIWork },
  ...containers,
  { when: 'any', look: portableDocument },
  { when: 'any', look: postScript },
  { when: 'bytes', signatures: [...listed(formats, ({ signatures }) => signatures), ...refusedSignatures] },
  { when: 'any', look: rasterHeader },
  ...bytes(programStream, compressed, ...structures, fileType, transportStream, ...weak),
  { when: 'text', look: markedXml },
  { when: 'text', marks: [...listed(formats, ({ marks }) => marks), ...refusedMarks] },
  ...[xBitmap, modelText, mailText, xmlAndHtml, json].map((look): Recogniser => ({ when: 'text', look })),
  { when: 'unnamed', look: guess },
]

export default steps
