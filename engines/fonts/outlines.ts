import { fileURLToPath } from 'node:url'

const file = fileURLToPath(new URL('outlines.conf', import.meta.url))

/** What the sandbox of a program needs that draws text by fontconfig, in outlines: which fonts stand for others. */
export const outlines = { binds: [file], env: { FONTCONFIG_FILE: file } }
