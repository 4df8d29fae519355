/**
 * Keeps one Chromium running, and prints web pages with it, without running their scripts. Each page has a browser
 * context of its own.
 *
 * Prints `ready`. Each line of input is a JSON array, `[input, output, …]`. With `--page PATH`, the page is first
 * rewritten to PATH as the program `plain` does, with `--title TITLE` and `--xhtml`; `described` is printed if it may
 * tell more about itself than a title. The answer is `{"done":true}` or `{"error":{"code":…,"message":…}}`. `--version`
 * only prints the browser's.
 */
import { open, readFile, writeFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { rewritten } from '../plain/rewritten.ts'
import { Refusal } from '../refusal/refusal.ts'
import { type Browser, printVersion, startBrowser } from './browser.ts'

/** Where a page may tell about itself, and the elements among those that tell nothing. */
const TELLING = /<meta\b|DocumentProperties/gi
const SILENT =
  /<meta\s+(charset=["']?[\w-]+["']?\s*\/?>|http-equiv=["']?(content-type|x-ua-compatible)|name=["']?(viewport|generator|robots)["'\s])/gi
const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0
/** Errors of a full disk, and of a file above its limit. */
const FULL = ['ENOSPC', 'EDQUOT', 'EFBIG']

/** An empty page in a context of its own. */
interface Tab {
  context: string
  session: string
}

const say = (answer: object) => process.stdout.write(`${JSON.stringify(answer)}\n`)

async function openTab(browser: Browser): Promise<Tab> {
  const { browserContextId: context } = await browser.send<{ browserContextId: string }>('Target.createBrowserContext')
  const { targetId } = await browser.send<{ targetId: string }>('Target.createTarget', {
    url: 'about:blank',
    browserContextId: context,
  })
  const { sessionId: session } = await browser.send<{ sessionId: string }>('Target.attachToTarget', {
    targetId,
    flatten: true,
  })
  await browser.send('Page.enable', {}, session)
  await browser.send('Inspector.enable', {}, session)
  // The policy forbids scripts already, where there is one.
  await browser.send('Emulation.setScriptExecutionDisabled', { value: true }, session)
  return { context, session }
}

/** A piece of a stream of the browser. */
interface Piece {
  data: string
  base64Encoded?: boolean
  eof: boolean
}

async function print(browser: Browser, { session }: Tab, page: string, output: string): Promise<void> {
  const shown = browser.event(session, 'Page.loadEventFired', 'Inspector.targetCrashed')
  const { href: url } = pathToFileURL(page)
  const { errorText } = await browser.send<{ errorText?: string }>('Page.navigate', { url }, session)
  if (errorText) throw new Error(errorText)
  if ((await shown).method === 'Inspector.targetCrashed') throw new Error('the page crashed')
  const crashed = browser.event(session, 'Inspector.targetCrashed')
  const printing = browser.send<{ stream: string }>(
    'Page.printToPDF',
    { printBackground: true, preferCSSPageSize: true, displayHeaderFooter: false, transferMode: 'ReturnAsStream' },
    session,
  )
  const printed = await Promise.race([printing, crashed])
  if ('method' in printed) throw new Error('the page crashed')
  await using file = await open(output, 'w')
  for (let ended = false; !ended; ) {
    const { data, base64Encoded, eof } = await browser.send<Piece>('IO.read', { handle: printed.stream }, session)
    // Unlike `write`, it fails if only a part can be written.
    await file.writeFile(Buffer.from(data, base64Encoded ? 'base64' : 'utf8'))
    ended = eof
  }
}

/** Prepares the page and prints it. */
async function perform(browser: Browser, tab: Tab, args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { page: { type: 'string' }, title: { type: 'string' }, xhtml: { type: 'boolean' } },
  })
  const [input, output] = positionals as [string, string]
  const { page, ...how } = values
  if (page !== undefined) {
    const text = rewritten(await readFile(input), how)
    if (count(text, TELLING) > count(text, SILENT)) console.log('described')
    await writeFile(page, text)
  }
  await print(browser, tab, page ?? input, output)
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (FULL.includes((error as NodeJS.ErrnoException | undefined)?.code ?? ''))
    return new Refusal('The result is larger than allowed', 'RESOURCE_LIMIT')
  return new Refusal('The page could not be printed')
}

async function serve(): Promise<void> {
  const browser = startBrowser()
  let tab = await openTab(browser)
  console.log('ready')
  for await (const line of createInterface({ input: process.stdin })) {
    try {
      await perform(browser, tab, JSON.parse(line))
      await browser.send('Target.disposeBrowserContext', { browserContextId: tab.context })
      say({ done: true })
    } catch (error) {
      // For the operator's log only.
      console.error(error)
      const { code, message } = refusalOf(error)
      say({ error: { code, message } })
      await browser.send('Target.disposeBrowserContext', { browserContextId: tab.context })
    }
    // For the next page, before anybody waits for it.
    tab = await openTab(browser)
  }
  browser.end()
}

await (process.argv[2] === '--version' ? printVersion() : serve())
