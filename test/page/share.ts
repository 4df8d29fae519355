import type { Page } from 'playwright-core'

/** Waits until the service worker takes shared files. */
export const untilReady = (page: Page) =>
  page.waitForFunction(async () => {
    const registrations = await navigator.serviceWorker.getRegistrations()
    return registrations.some(({ active }) => active?.state === 'activated')
  })

/** What the page says if no service worker took the files. */
export const MISSED = 'Your browser did not hand over the shared files'

/** Shares two files with the page, until the browser hands them to the service worker. On a busy machine, it may not at first. */
export async function share(page: Page, action: string): Promise<void> {
  const [row, missed] = [page.locator('.files .row').first(), page.getByText(MISSED)]
  for (let attempt = 1; attempt <= 20; attempt++) {
    // What an earlier attempt has shown goes with its document.
    const loaded = page.waitForEvent('load')
    await send(page, action)
    await loaded
    await row.or(missed).first().waitFor()
    if (await row.count()) return
    await untilReady(page)
  }
}

/** Sends a form as browsers send shared files. */
export const send = (page: Page, action: string) =>
  page.evaluate((action) => {
    const form = document.createElement('form')
    Object.assign(form, { action: `/${action}`, method: 'POST', enctype: 'multipart/form-data' })
    const input = document.createElement('input')
    Object.assign(input, { type: 'file', name: 'files', multiple: true })
    const files = new DataTransfer()
    files.items.add(new File(['STUB\nshared'], 'story.stub'))
    files.items.add(new File(['A note.'], 'notes ü.txt', { type: 'text/plain' }))
    input.files = files.files
    form.append(input)
    document.body.append(form)
    form.submit()
  }, action)
