import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

const plain = fileURLToPath(new URL('outlines.conf', import.meta.url))
/** The same with East Asian fonts of our own, which set-up builds. */
const built = fileURLToPath(new URL('../../node_modules/.cache/athanor-fonts/fonts.conf', import.meta.url))
const [file, bind] = existsSync(built) ? [built, dirname(built)] : [plain, plain]

/** What the sandbox of a program needs that draws text by fontconfig, in outlines: which fonts stand for others. */
export const outlines = { binds: [bind], env: { FONTCONFIG_FILE: file } }
