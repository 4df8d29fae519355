/** Hostile names and identifiers: the same tests as in `names.test.ts`, with everything that they have. */
import './names.test.ts'
