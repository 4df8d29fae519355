import type { Sample } from '../fixtures/sample.ts'
import { verifyArchive } from './archive.ts'
import { verifyCad } from './cad.ts'
import { verifyDocument } from './document.ts'
import { verifyEbook } from './ebook.ts'
import { verifyImage } from './image.ts'
import { verifyAudio } from './sound.ts'
import { verifyVector } from './vector.ts'
import { verifyVideo } from './video.ts'

/** Decodes a result and compares it with the source. */
export type Verifier = (path: string, to: string, source: Sample) => Promise<void>

/** One verifier for each category of targets. */
const verifiers: Readonly<Record<string, Verifier>> = {
  archive: verifyArchive,
  audio: verifyAudio,
  cad: verifyCad,
  document: verifyDocument,
  ebook: verifyEbook,
  image: verifyImage,
  vector: verifyVector,
  video: verifyVideo,
}

/** Returns the verifier of a category. Throws for a category without one: its pairs cannot be proved. */
export function verifierOf(category: string): Verifier {
  const verifier = verifiers[category]
  if (!verifier) throw new Error(`no verifier for ${category} targets`)
  return verifier
}
