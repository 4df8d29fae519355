import type { Page } from 'playwright-core'

/** Waits until the service worker takes shared files. */
export const untilReady = (page: Page) =>
  page.waitForFunction(async () => {
    const registrations = await navigator.serviceWorker.getRegistrations()
    return registrations.some(({ active }) => active?.state === 'activated')
  })

/** What the page says if no service worker took the files. */
export const MISSED = 'Your browser did not hand over the shared files'

/** The question about shared files. */
export const questionOn = (page: Page) =>
  page.getByRole('region', { name: 'Add them only if you shared them yourself' })

/**
 * Shares two files from the present page, until the browser hands them to the service worker. On a busy machine, it may
 * not at first. Resolves when the page asks about them.
 *
 * @param target URL of the share target.
 */
export async function share(page: Page, target: string): Promise<void> {
  const from = page.url()
  const question = questionOn(page)
  const missed = page.getByText(MISSED)
  for (let attempt = 1; attempt <= 20; attempt++) {
    // What an earlier attempt has shown goes with its document.
    const loaded = page.waitForEvent('load')
    await send(page, target)
    await loaded
    await question.or(missed).first().waitFor()
    if (await question.count()) return
    await untilReady(page)
    await page.goto(from)
  }
}

/** Names and contents of the files that are shared. */
const SHARED = { 'story.stub': 'STUB\nshared', 'notes ü.txt': 'A note.' }

/** Sends a form with files from the present page, as browsers send shared files. */
export const send = (page: Page, target: string, field = 'files', given: Record<string, string> = SHARED) =>
  page.evaluate(
    ({ action, name, given }) => {
      const form = document.createElement('form')
      Object.assign(form, { action, method: 'POST', enctype: 'multipart/form-data' })
      const input = document.createElement('input')
      Object.assign(input, { type: 'file', name, multiple: true })
      const files = new DataTransfer()
      for (const [name, text] of Object.entries(given)) files.items.add(new File([text], name))
      input.files = files.files
      form.append(input)
      document.body.append(form)
      form.submit()
    },
    { action: target, name: field, given },
  )
