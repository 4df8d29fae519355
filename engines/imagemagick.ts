import { fileURLToPath } from 'node:url'
import type { Engine } from '../kernel/contract.ts'

const configuration = fileURLToPath(new URL('imagemagick', import.meta.url))

/** Coders whose name is not the extension in capitals. */
const CODERS: Readonly<Record<string, string>> = { ras: 'SUN', tif: 'TIFF' }

/** A path with its coder in front, so that ImageMagick never guesses the format from content or extension. */
export const coded = (format: string, path: string) => `${CODERS[format] ?? format.toUpperCase()}:${path}`

/**
 * ImageMagick's `convert`. Our policy (imagemagick/policy.xml) replaces the system's: no delegates, no file lists, and
 * only the listed coders. The arguments contain the files, written by `coded`.
 */
export const imagemagick: Engine = {
  name: 'imagemagick',
  binary: ['convert-im6.q16', 'magick', 'convert'],
  version: ['-version'],
  features: ['-list', 'format'],
  package: 'imagemagick-6.q16',
  argv: (job, args) => [
    ['-limit', 'memory', '512MiB', '-limit', 'map', '1GiB', '-limit', 'disk', '4GiB', '-limit', 'thread', 1],
    ['-define', `registry:temporary-path=${job.scratch}`],
    args,
  ],
  reason: (lines) =>
    lines.some((line) => /exceeds limit|resources exhausted|exceeded/i.test(line))
      ? {
          code: 'RESOURCE_LIMIT',
          message: 'The picture is larger than 65,535 pixels a side, or needs more memory than a conversion may use',
        }
      : undefined,
  sandbox: {
    mounts: [
      [configuration, '/etc/ImageMagick-6'],
      [configuration, '/etc/ImageMagick-7'],
    ],
    env: { OMP_NUM_THREADS: '1', MAGICK_CONFIGURE_PATH: configuration },
    binds: [configuration],
  },
}
