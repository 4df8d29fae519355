import type { JSHandle, Page } from 'playwright-core'
import type { Given } from '../harness/browser.ts'

/** Makes on the page what a user drags or pastes: one file. */
export const transferOf = (page: Page, { name, mimeType: type, buffer }: Given): Promise<JSHandle<DataTransfer>> =>
  page.evaluateHandle(
    ({ bytes, name, type }) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([Uint8Array.from(bytes)], name, { type }))
      return transfer
    },
    { bytes: [...buffer], name, type },
  )

export const drop = async (page: Page, file: Given) =>
  page.dispatchEvent('footer', 'drop', { dataTransfer: await transferOf(page, file) })

export async function paste(page: Page, what: Given | string): Promise<void> {
  const transfer =
    typeof what === 'string'
      ? await page.evaluateHandle((text) => {
          const transfer = new DataTransfer()
          transfer.setData('text/plain', text)
          return transfer
        }, what)
      : await transferOf(page, what)
  await transfer.evaluate((clipboardData) => {
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }))
  })
}
