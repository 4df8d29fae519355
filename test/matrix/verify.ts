import type { Sample } from '../fixtures/sample.ts'
import { verifyDocument } from './document.ts'
import { verifyImage } from './image.ts'
import type { Verdict } from './verdict.ts'

/** Decodes a result and holds it against what the source shows. */
export type Verifier = (path: string, to: string, source: Sample) => Promise<Verdict>

/** One verifier a category of targets; each category adds its own here. */
const verifiers: Readonly<Record<string, Verifier>> = { document: verifyDocument, image: verifyImage }

/** The verifier of a category. Throws for a category without one: its pairs cannot be proved. */
export function verifierOf(category: string): Verifier {
  const verifier = verifiers[category]
  if (!verifier) throw new Error(`no verifier for ${category} targets`)
  return verifier
}
