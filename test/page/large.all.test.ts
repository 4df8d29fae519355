/** Many files at once, and a proxy that keeps the events back. */
import type { Page } from 'playwright-core'
import t from 'tap'
import { give, setSleep, setUp, stub, untilStage } from '../harness/browser.ts'
import { startProxy } from './proxy.ts'

const { open, service } = await setUp(t)

/** Uploads during which the work of the page is measured. */
const UPLOADS = 20

/**
 * Drops small files on the page.
 *
 * @returns Milliseconds of work on the page: until the files are listed, and then until some are uploaded.
 */
async function drop(page: Page, count: number): Promise<{ listing: number; uploading: number }> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  /** The processor's time, not the clock's: other programs may be busy. */
  const spent = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    const value = (name: string) => metrics.find((metric) => metric.name === name)!.value
    return (value('ScriptDuration') + value('LayoutDuration') + value('RecalcStyleDuration')) * 1000
  }
  const before = await spent()
  await page.evaluate((count) => {
    const transfer = new DataTransfer()
    for (let at = 0; at < count; at++) transfer.items.add(new File([`STUB\n${at}`], `page ${at}.stub`))
    document.querySelector('footer')!.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true }))
  }, count)
  await page
    .locator('.files .row')
    .nth(count - 1)
    .waitFor({ state: 'attached' })
  const listed = await spent()
  await page
    .locator('.files .row[data-stage=ready]')
    .nth(UPLOADS - 1)
    .waitFor()
  return { listing: listed - before, uploading: (await spent()) - listed }
}

t.test('1,000 dropped files: the page does not draw all rows again for each step of one', async (t) => {
  const page = await open()
  const { listing, uploading } = await drop(page, 1000)
  t.comment(`listed in ${listing.toFixed()} ms; then ${(uploading / UPLOADS).toFixed()} ms for each upload`)
  t.ok(uploading / UPLOADS < listing / 4, 'an upload, of several steps, costs a small part of the whole list')
  // It can be used meanwhile.
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByLabel('Language').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Clear list' }).click()
  await page.locator('.files').waitFor({ state: 'detached' })
})

t.test('behind a proxy that keeps events back, the page polls', async (t) => {
  const proxy = await startProxy()
  t.teardown(proxy.close)
  Object.assign(proxy, { target: service.base, holdsEvents: true })
  const page = await open(`${proxy.base}/`)
  const polls: string[] = []
  page.on('request', (request) => {
    if (/conversions\/conv_.*[?&]wait=/.test(request.url())) polls.push(request.url())
  })
  await give(page, stub('slow.stub'))
  await untilStage(page, 'slow.stub', 'ready')
  await setSleep(page, 'slow.stub', 8000)
  await page.getByRole('button', { name: 'Convert', exact: true }).click()
  await page
    .locator('.row-progress')
    .getByText(/Converting, [1-9]/)
    .waitFor()
  await untilStage(page, 'slow.stub', 'done')
  t.ok(polls.length > 0)
  // The next conversion does not wait for the events again.
  const before = polls.length
  await give(page, stub('next.stub'))
  await untilStage(page, 'next.stub', 'ready')
  await page.getByRole('button', { name: 'Convert', exact: true }).click()
  await untilStage(page, 'next.stub', 'done')
  t.ok(polls.length > before)
})
