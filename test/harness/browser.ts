import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from 'playwright-core'
import sharp from 'sharp'
import type { Test } from 'tap'
import { newFolder, removeFolder } from './folder.ts'
import { type Service, startAthanor } from './program.ts'

/** A file to add to the page. */
export interface Given {
  name: string
  mimeType: string
  buffer: Buffer
}

/** The real service with its engines, and real browsers that use it. */
export interface ServiceAndBrowser {
  service: Service
  /** The data folder of the service. */
  dataDir: string
  /** Kills the service, and starts it again on the same data, at another port. */
  restart(): Promise<Service>
  /**
   * Opens the page in a new browser profile, and waits for an element that shows that it is ready. Requests to other
   * hosts and errors on the page fail the test.
   *
   * @param elsewhere Origins that the page may ask, such as that of a provider for sign-in.
   */
  open(url?: string, options?: BrowserContextOptions, ready?: string, elsewhere?: readonly string[]): Promise<Page>
}

/** Starts both; they end with the test. */
export async function setUp(t: Test, config: object = {}, env: NodeJS.ProcessEnv = {}): Promise<ServiceAndBrowser> {
  const folder = await newFolder()
  const dataDir = join(folder, 'data')
  const guest = { pendingJobs: null, heavyConcurrency: null, conversionsPerDay: null, bytesPerDay: null }
  const merged = { plans: { guest }, http: { hosts: ['athanor.test'] }, ...config }
  const start = () => startAthanor(dataDir, merged, env)
  const [service, browser] = await Promise.all([start(), launch()])
  let running = service
  t.teardown(async () => {
    await browser.close()
    await running.end('SIGKILL')
    await removeFolder(folder)
  })
  return {
    service,
    dataDir,
    async restart() {
      await running.end('SIGKILL')
      running = await start()
      return running
    },
    async open(url = `${service.base}/`, options = {}, ready = '.drop-button', elsewhere = []) {
      const context = await browser.newContext({ locale: 'en-GB', ...options })
      context.setDefaultTimeout(120_000)
      const page = await context.newPage()
      const { origin } = new URL(url)
      page.on('request', (request) => {
        const asked = new URL(request.url())
        // What a provider's own page asks for is not ours.
        if (elsewhere.includes(new URL(page.url()).origin)) return
        // The viewer of PDFs is a part of the browser.
        if (![origin, ...elsewhere].includes(asked.origin) && !/^(blob|chrome|chrome-extension):$/.test(asked.protocol))
          t.fail(`the page asks ${asked.origin}`)
      })
      page.on('pageerror', (error) => t.fail(`error on the page: ${error.message}`))
      page.on('console', (message) => {
        if (/Content Security Policy|Trusted/i.test(message.text())) t.fail(message.text())
      })
      await page.goto(url)
      await page.locator(ready).first().waitFor()
      return page
    },
  }
}

const launch = (): Promise<Browser> =>
  chromium.launch({
    executablePath: '/usr/bin/chromium',
    timeout: 180_000,
    args: ['--no-sandbox', '--host-resolver-rules=MAP athanor.test 127.0.0.1'],
  })

/** A picture that shows something. */
export async function picture(name: string, side = 64): Promise<Given> {
  const channels = 3
  const pixels = Buffer.from({ length: side * side * channels } as never).fill(0)
  for (let at = 0; at < pixels.length; at++) pixels[at] = (at * 7 + Math.floor(at / side) * 13) % 256
  const image = sharp(pixels, { raw: { width: side, height: side, channels } })
  return { name, mimeType: 'image/png', buffer: await image.png().toBuffer() }
}

/** A file of the stub's format. Its option sets how long its conversion takes. */
export const stub = (name = 'story.stub'): Given => ({
  name,
  mimeType: 'text/plain',
  buffer: Buffer.from('STUB\nOnce upon a time.'),
})

export const give = (page: Page, ...files: Given[]) => page.setInputFiles('.files-input', files)

/** Returns the row of a file. */
export const row = (page: Page, name: string) => page.locator('.files .row').filter({ hasText: name })

/** Waits until a file's row has a stage. */
export const untilStage = (page: Page, name: string, stage: string) =>
  page.locator(`.files .row[data-stage="${stage}"]`).filter({ hasText: name }).waitFor()

/** Adds files, and waits until each can be converted. */
export async function add(page: Page, ...files: Given[]): Promise<void> {
  await give(page, ...files)
  for (const { name } of files) await untilStage(page, name, 'ready')
}

/** Chooses the target of a file. */
export async function choose(page: Page, name: string, format: string): Promise<void> {
  await search(page, target(page, name), format)
}

/** Loads the page again as for a person who chose these targets before, by source format. */
export async function rememberTargets(page: Page, targets: Record<string, string>): Promise<void> {
  await page.evaluate((targets) => localStorage.setItem('athanor.settings', JSON.stringify({ targets })), targets)
  await page.reload()
  await page.locator('.drop-button').waitFor()
}

/** Returns the button that shows the target of a file, and opens the list. */
export const target = (page: Page, name: string) => page.getByRole('button', { name: `Convert ${name} to` })

/** Opens the list of targets by a button, and chooses the first one that is found. */
export async function search(page: Page, button: Locator, words: string): Promise<void> {
  await button.click()
  const field = page.getByRole('combobox', { name: 'Search' })
  await field.fill(words)
  await field.press('Enter')
}

/** Opens the options of a file. In a narrow window, their button is in the list of its targets. */
export async function openOptions(page: Page, name: string): Promise<void> {
  const button = page.getByRole('button', { name: `Options for ${name}` })
  if (await button.isVisible()) return button.click()
  await target(page, name).click()
  await page.locator('.picker-options').click()
}

/** Sets in the options panel how long a stub's conversion takes, in milliseconds. */
export async function setSleep(page: Page, name: string, milliseconds: number): Promise<void> {
  await openOptions(page, name)
  await page.getByLabel('sleep').fill(String(milliseconds))
}

/** Gives a stub's file to the page, and starts its conversion, which takes so many milliseconds. */
export async function startSlow(page: Page, name: string, milliseconds: number): Promise<void> {
  await give(page, stub(name))
  await untilStage(page, name, 'ready')
  await setSleep(page, name, milliseconds)
  await page.getByRole('button', { name: 'Convert', exact: true }).click()
  await untilStage(page, name, 'processing')
}

/** Does something after which a file is saved. */
export async function savedBy(page: Page, act: () => Promise<unknown>): Promise<{ name: string; content: Buffer }> {
  const [download] = await Promise.all([page.waitForEvent('download'), act()])
  return { name: download.suggestedFilename(), content: await readFile(await download.path()) }
}

/** Gives a file to the page, and waits until it is converted. */
export async function convertTo(page: Page, file: Given, format: string): Promise<void> {
  await give(page, file)
  await untilStage(page, file.name, 'ready')
  await choose(page, file.name, format)
  await page.getByRole('button', { name: 'Convert', exact: true }).click()
  await untilStage(page, file.name, 'done')
}

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Returns what axe finds wrong with the page in its current state, one line each. */
export async function violations(page: Page): Promise<string[]> {
  // Evaluated, not injected: the page's content security policy stays in effect.
  await page.evaluate(`if (!window.axe) { ${axe} }`)
  const { violations } = (await page.evaluate('axe.run(document)')) as { violations: any[] }
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }: { html: string }) => `${id}: ${html}`))
}
