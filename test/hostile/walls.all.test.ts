/** Hostile files at the walls: the same tests as in `walls.test.ts`, with everything that they have. */
import './walls.test.ts'
