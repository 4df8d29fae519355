/** The scenario with forced colours and reduced motion, dark, in a window as narrow as a small phone. */
import t from 'tap'
import { setUp } from '../harness/browser.ts'
import { expectAccessible, expectLargeTargets } from './accessible.ts'
import { imports, playScenario } from './scenario.ts'

t.test('the scenario in forced colours, dark and narrow', async (t) => {
  const { open } = await setUp(t, { imports })
  const viewport = { width: 320, height: 640 }
  const look = {
    forcedColors: 'active',
    reducedMotion: 'reduce',
    colorScheme: 'dark',
    viewport,
    hasTouch: true,
  } as const
  const page = await open(undefined, look)
  await playScenario(t, page, async (step) => {
    await expectAccessible(t, page, step)
    await expectLargeTargets(t, page, step)
  })
})
