/** Every field of every body and query: the same tests as in `fields.test.ts`, with everything that they have. */
import './fields.test.ts'
