import { binaryStructure, byNameAlone } from './binary.ts'
import { audioFrames } from './frames.ts'
import { boxBrands, isBoxes } from './isobmff.ts'
import { matroskaTracks } from './matroska.ts'
import { dolbyFrames, programStream, transportStream } from './mpeg.ts'
import { claimsIWork, hintOf } from './name.ts'
import { oleStreams } from './ole.ts'
import { brotli, compressed, gzipped, zstandard } from './packed.ts'
import { isPalm, palmBook } from './palm.ts'
import { examine, type Peek, type Source } from './peek.ts'
import { plainSignature } from './plain.ts'
import { portableDocument, postScript } from './postscript.ts'
import { rasterHeader } from './raster.ts'
import { bySignature } from './signatures.ts'
import { asfStreams, iffForm, oggStreams, realMedia, riffForm } from './streams.ts'
import { readBrief, readPadded, readText, textFormat } from './text.ts'
import { tiffDirectory } from './tiff.ts'
import { iwork, type LookIn, type Refusal, type Verdict } from './verdict.ts'
import { zipMembers } from './zipmembers.ts'

export { type Peek, peekFile } from './peek.ts'

/** A canonical extension, or why a file of a known kind is refused: a phrase for the client. */
export type Detected = { extension: string } | Refusal

export interface DetectOptions {
  /** Recognisers of formats that are unknown here, by extension; each sees at most 64 KiB. */
  sniffers?: ReadonlyMap<string, (head: Uint8Array) => boolean>
  /** Extensions of formats unknown here that are plain text, and are believed of a text. */
  textual?: ReadonlySet<string>
}

const starts = (pattern: RegExp) => (head: Buffer) => pattern.test(head.toString('latin1', 0, 16))

/** Families that share a signature, and the look inside that tells their members apart. */
const CONTAINERS: [signature: (head: Buffer) => boolean, look: LookIn][] = [
  [starts(/^PK(\x03\x04|\x05\x06|\x07\x08PK\x03\x04|00PK\x03\x04)/), zipMembers],
  [starts(/^\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1/), oleStreams],
  [isBoxes, boxBrands],
  [starts(/^\x1a\x45\xdf\xa3/), matroskaTracks],
  [starts(/^(RIFF|RIFX|RF64|BW64)/), riffForm],
  [starts(/^FORM/), iffForm],
  [starts(/^OggS/), oggStreams],
  [starts(/^\x30\x26\xb2\x75\x8e\x66\xcf\x11/), asfStreams],
  [starts(/^\.RMF/), realMedia],
  [starts(/^(II[*+]\0|MM\0[*+])/), tiffDirectory],
  [isPalm, palmBook],
  [starts(/^\x1f\x8b\x08/), gzipped],
  [starts(/^(\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18)/), zstandard],
  [starts(/^ID3/), audioFrames],
  [starts(/^\x0b\x77/), dolbyFrames],
]

/** Signatures that a file of nothing but text can have. */
const TEXTUAL: LookIn[] = [portableDocument, postScript, rasterHeader]

/** Signatures of single formats, the surest first. */
const BINARY: LookIn[] = [
  portableDocument,
  postScript,
  ({ head }) => bySignature(head),
  rasterHeader,
  programStream,
  compressed,
  binaryStructure,
  plainSignature,
  transportStream,
]

/** What has hardly a signature, or none: chains of frames, and names that the bytes do not contradict. */
const WEAK: LookIn[] = [byNameAlone, audioFrames, brotli]

/**
 * Recognises a file: signature, look inside containers, sniffers of plugins, text, and the name as the last hint. The
 * cost is bounded whatever the file claims about itself. Undefined: nothing known. Never rejects, but for a head that
 * cannot be read.
 */
export async function detect(file: Peek, name: string, options: DetectOptions = {}): Promise<Detected | undefined> {
  const hint = hintOf(name)
  if (file.size === 0) return undefined
  if (claimsIWork(hint)) return iwork
  const verdict = await judge(await examine(file), hint, options)
  return typeof verdict === 'string' ? { extension: verdict } : verdict
}

async function judge(file: Source, hint: string, { sniffers, textual }: DetectOptions): Promise<Verdict | undefined> {
  const text = readText(file)
  const outside: LookIn[] = [...(sniffers ?? [])].map(
    ([extension, sniff]) =>
      () =>
        sniff(file.head) ? extension : undefined,
  )
  const looks: LookIn[] =
    text === undefined
      ? [
          ...CONTAINERS.filter(([signature]) => signature(file.head)).map(([, look]) => look),
          ...BINARY,
          ...outside,
          ...WEAK,
          () => textFormat(file, readPadded(file) ?? readBrief(file, hint) ?? '', hint, textual),
        ]
      : [...TEXTUAL, ...outside, () => textFormat(file, text, hint, textual)]
  for (const look of looks) {
    const verdict = await attempt(look, file, hint)
    if (verdict) return verdict
  }
  return undefined
}

/** A look that runs off its bytes has found nothing. */
async function attempt(look: LookIn, file: Source, hint: string): Promise<Verdict | undefined> {
  try {
    return await look(file, hint)
  } catch {
    return undefined
  }
}
