import type { Page } from 'playwright-core'
import type { Test } from 'tap'
import { violations } from '../harness/browser.ts'

/**
 * Expects that axe finds nothing wrong with the page in its current state, that descriptions exist, which axe leaves
 * open, and that nothing is cut off at the page's side.
 */
export async function expectAccessible(t: Test, page: Page, state: string): Promise<void> {
  // In a transition, axe would measure colours in between.
  await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== 'running'))
  t.strictSame(await violations(page), [], state)
  const missing = await page.evaluate(() =>
    [...document.querySelectorAll('[aria-describedby]')]
      .filter(
        (one) =>
          !one
            .getAttribute('aria-describedby')!
            .split(' ')
            .every((id) => document.getElementById(id)),
      )
      .map(({ outerHTML }) => outerHTML),
  )
  t.strictSame(missing, [], `${state}: descriptions`)
  const { clientWidth, scrollWidth } = await page.evaluate(() => {
    const { clientWidth, scrollWidth } = document.documentElement
    return { clientWidth, scrollWidth }
  })
  t.ok(scrollWidth <= clientWidth, `${state}: ${scrollWidth} of ${clientWidth} pixels`)
}

/** Expects that everything that people touch is at least 44 pixels wide and high. */
export async function expectLargeTargets(t: Test, page: Page, state: string): Promise<void> {
  const small = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('button, select, [role=combobox], [role=gridcell], input[type=number]')]
      .filter((one) => one.checkVisibility())
      .map((one) => ({ name: one.ariaLabel || one.innerText, box: one.getBoundingClientRect() }))
      .filter(({ box }) => box.width < 44 || box.height < 43.9)
      .map(({ name, box }) => `${name}: ${box.width} × ${box.height}`),
  )
  t.strictSame(small, [], `${state}: 44 pixels`)
}
