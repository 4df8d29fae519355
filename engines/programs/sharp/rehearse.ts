import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { convert } from './convert.ts'
import { sharp } from './library.ts'
import type { Target } from './spec.ts'

/** What people most often convert pictures to. */
const TARGETS: readonly Target[] = ['jpg', 'webp', 'png']

/** Converts a small picture to the most used formats: the code of the decoders and encoders is loaded and compiled then. */
export async function rehearse(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'rehearsal-'))
  try {
    const input = join(folder, 'picture.png')
    await sharp({ create: { width: 64, height: 64, channels: 3, background: '#468' } })
      .png()
      .toFile(input)
    for (const to of TARGETS)
      await convert(
        {
          ...{
            task: 'convert',
            input,
            from: 'png',
            to,
            output: join(folder, `result.${to}`),
            folder: join(folder, 'pages'),
          },
          ...{
            pages: 'all',
            animate: false,
            box: { fit: 'inside' },
            opaque: to === 'jpg',
            deep: false,
            profile: false,
          },
          ...{ strip: false, encoding: { quality: 80 } },
        },
        () => {},
      )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
