/** Routes declare what runs. The few decisions at run time are listed here. */
import t from 'tap'
import { isDirect } from '../../../kernel/catalogue/manifest/route.ts'
import type { Condition } from '../../../kernel/contract.ts'
import image from '../../../plugins/image/index.ts'

const direct = image.routes.filter(isDirect)
const steps = direct.flatMap((route) => ('steps' in route ? route.steps : []))

/** Whether a step runs only with a target size. */
const aims = ({ not }: Condition = {}) => not?.options !== undefined && 'targetSizeKb' in not.options

t.test('every route that is not a detour consists of steps', async (t) => {
  t.ok(direct.length > 700)
  t.strictSame(
    direct.filter((route) => !('steps' in route)),
    [],
  )
})

t.test(
  'steps decide only how large a result is, how pages are rendered, and how many frames are decoded',
  async (t) => {
    const deciding = steps.filter((step) => 'convert' in step)
    const names = (some: typeof steps) => [...new Set(some.map(({ engine }) => engine.name))].toSorted()
    t.strictSame(names(deciding.filter(({ when }) => !aims(when))), ['ffprobe', 'pdftocairo', 'pdftoppm'])
    t.strictSame(names(deciding.filter(({ when }) => aims(when))), ['cjxl', 'ffmpeg', 'heif-enc', 'opj_compress'])
  },
)
