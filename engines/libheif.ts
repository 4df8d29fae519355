import type { Engine } from '../kernel/contract.ts'
import { maxPixels } from './programs/sharp/spec.ts'
import { pythonProgram } from './python/program.ts'

const { command, ...own } = pythonProgram('heif', 'decode.py', { alone: true })

/**
 * Decodes HEIF into PNG without compression, rotated and cropped as the file says, with its colour profile, EXIF and
 * XMP. Several images become `name-1.png`, `name-2.png`, … heif-convert compresses them, which takes six times as long.
 */
export const heifDecode: Engine = {
  ...own,
  name: 'heif-decode',
  version: [...command, 'features'],
  features: [...command, 'features'],
  package: 'libheif-examples',
  argv: (job, args) => [command, args, job.input, job.output, String(maxPixels)],
}

/** Encodes HEIF with HEVC (x265). */
export const heifEnc: Engine = {
  name: 'heif-enc',
  binary: ['heif-enc'],
  version: ['--version'],
  package: 'libheif-examples',
  argv: (job, args) => [args, '-o', job.output, job.input],
}
