/** Malformed forms and requests: the same tests as in `wire.test.ts`, with everything that they have. */
import './wire.test.ts'
