/** Forged credentials: the same tests as in `tokens.test.ts`, with everything that they have. */
import './tokens.test.ts'
