/** Packs an archive anew as another kind: `repack.ts SPEC`, see `spec.ts`. A refusal is one line of JSON, and exit 1. */
import { pack } from './pack.ts'
import { running } from './programs.ts'
import { reportProgress } from './progress.ts'
import { meaning, Refusal } from './refusal.ts'
import type { Spec } from './spec.ts'

try {
  const spec = JSON.parse(process.argv[2]!) as Spec
  reportProgress(spec.input, running)
  await pack(spec)
} catch (error) {
  const refusal = error instanceof Refusal ? error : meaning(String(error))
  // For the log alone.
  console.log(String(refusal?.cause ?? error).replaceAll('\n', ' | '))
  console.log(JSON.stringify({ code: refusal?.code ?? 'CONVERSION_ERROR', message: refusal?.message ?? '' }))
  process.exitCode = 1
}
process.exit()
