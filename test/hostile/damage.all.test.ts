/** Bombs and damaged files: the same tests as in `damage.test.ts`, with everything that they have. */
import './damage.test.ts'
