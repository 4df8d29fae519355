/** Repacks an archive as another kind: `main.ts SPEC`, see `spec.ts`. */
import { Refusal, report } from '../refusal/refusal.ts'
import { meaning } from './complaints.ts'
import { pack } from './pack.ts'
import { running } from './programs.ts'
import { reportProgress } from './progress.ts'
import type { Spec } from './spec.ts'

try {
  const spec = JSON.parse(process.argv[2]!) as Spec
  reportProgress(spec.input, running)
  await pack(spec)
} catch (error) {
  const refusal = error instanceof Refusal ? error : meaning(String(error))
  // The program's own words are for the log only.
  if (refusal?.cause) console.error(String(refusal.cause).replaceAll('\n', ' | '))
  report(refusal ?? error)
}
process.exit()
