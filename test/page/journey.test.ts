/**
 * A whole visit of the page in Chromium: files, conversions, the history, an account, and what goes wrong. axe looks at
 * each state.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import t from 'tap'
import arabic from '../../page/texts/ar.json' with { type: 'json' }
import { choose, convertTo, give, picture, row, setUp, stub, untilStage } from '../harness/browser.ts'
import { admin } from '../harness/inside.ts'
import { startOrigin } from '../harness/servers/origin.ts'
import { expectAccessible } from './accessible.ts'
import { imports, playScenario } from './scenario.ts'
import { questionOn, send, share, untilReady } from './share.ts'

const guest = { pendingJobs: null, heavyConcurrency: null, conversionsPerDay: null, bytesPerDay: null }
const plans = { guest, free: { apiKeys: 1 } }
const { open, service, dataDir } = await setUp(t, { imports, plans, page: { notice: 'For members.' } })

t.test('files: added in every way, converted, compared, saved, found again, deleted', async (t) => {
  const page = await open()
  await page.getByText('For members.').waitFor()
  await playScenario(t, page, (step) => expectAccessible(t, page, step))
})

t.test('an account: create, its history on another device, sign out', async (t) => {
  const page = await open()
  const other = await open()
  const fill = async (password: string) => {
    await other.getByLabel('Email address').fill('ada@example.org')
    await other.getByLabel('Password').fill(password)
    await other.getByRole('button', { name: 'Sign in', exact: true }).last().click()
  }
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('button', { name: 'Create an account' }).click()
  await page.getByLabel('Email address').fill('ada@example.org')
  await page.getByLabel('Password').fill('correct horse battery')
  await expectAccessible(t, page, 'create an account')
  await page.getByRole('button', { name: 'Create an account' }).click()
  await page.locator('.drop-button').waitFor()
  // Until its address is proved, it would share the quota of its network, of which guests have used some.
  const verify = ['user', 'set', '--email', 'ada@example.org', '--verified']
  t.equal((await admin({ DATA_DIR: dataDir }, ...verify)).code, 0)
  await convertTo(page, stub('mine.stub'), 'bust')

  await other.getByRole('button', { name: 'Sign in', exact: true }).click()
  await fill('wrong password')
  await other.getByText('Email or password is wrong.').waitFor()
  await expectAccessible(t, other, 'a wrong password')
  await fill('correct horse battery')
  const earlier = other.getByRole('region', { name: 'Earlier conversions' })
  await earlier.getByText('mine.bust').waitFor()
  await other.reload()
  await earlier.getByText('mine.bust').waitFor()
  await other.getByRole('button', { name: 'Account', exact: true }).click()
  await other.getByText(/^1 of \d+/).waitFor()
  await other.getByLabel('What the key is for').fill('build server')
  await other.getByRole('button', { name: 'Create a key' }).click()
  const key = await other.getByRole('textbox', { name: 'New key' }).inputValue()
  const ask = async () => (await fetch(`${service.base}/api/conversions`, { headers: { 'x-api-key': key } })).status
  t.equal(await ask(), 200)
  await expectAccessible(t, other, 'the account')
  await other.getByRole('button', { name: 'Revoke build server' }).click()
  await other.getByText('There are no keys yet.').waitFor()
  t.equal(await ask(), 401)
  await other.getByRole('button', { name: 'Sign out' }).click()
  await other.getByRole('button', { name: 'Sign in', exact: true }).first().waitFor()
  t.equal(await earlier.getByText('mine.bust').count(), 0)
  t.equal(await other.evaluate(() => localStorage.getItem('athanor.session')), null)
})

t.test('what goes wrong is said at its file, with advice', async (t) => {
  const page = await open()
  const { buffer } = await picture('x.png')
  await give(page, { name: 'really.jpg', mimeType: 'image/jpeg', buffer }, stub('bad.stub'), stub('fine.stub'))
  for (const name of ['really.jpg', 'bad.stub', 'fine.stub']) await untilStage(page, name, 'ready')
  t.equal(await page.locator('.row-warning').innerText(), 'The content is PNG, although the name says JPG.')
  await give(page, { name: 'riddle.qqq', mimeType: '', buffer: Buffer.from([0, 1, 2, 3, 254]) })
  await untilStage(page, 'riddle.qqq', 'failed')
  const problem = (name: string) => row(page, name).locator('.problem').innerText()
  t.match(
    await problem('riddle.qqq'),
    /was not recognised\. Choose another file, or save it in another format first\.$/,
  )
  t.equal(await row(page, 'riddle.qqq').getByRole('button', { name: 'Try again' }).count(), 0)
  await page.getByRole('button', { name: 'Remove riddle.qqq' }).click()

  await choose(page, 'really.jpg', 'webp')
  await page.getByRole('button', { name: 'Options for really.jpg' }).click()
  await page.getByText('More options').click()
  await page.getByLabel('Lossless').check()
  t.ok(await page.getByLabel('Quality').isDisabled())
  await page.getByLabel('Lossless').uncheck()
  await page.getByLabel('Max. size').fill('0')
  await page.getByText('Allowed: 1 to 102,400').waitFor()
  await page.getByRole('button', { name: 'Options for bad.stub' }).click()
  await page.getByLabel('fail').selectOption('encrypted')
  await page.getByRole('button', { name: 'Convert 3 files' }).click()
  await untilStage(page, 'fine.stub', 'done')
  for (const name of ['really.jpg', 'bad.stub']) await untilStage(page, name, 'failed')
  t.match(await problem('really.jpg'), /^An option has a value that is not possible\./)
  t.equal(await problem('bad.stub'), 'This file has a password. Save a copy without it and convert the copy.')
  await expectAccessible(t, page, 'failures')
  await page.getByLabel('fail').selectOption('')
  await page.getByRole('button', { name: 'Try again: bad.stub' }).click()
  await untilStage(page, 'bad.stub', 'done')
})

t.test('the language of the browser, and another one that is chosen and kept', async (t) => {
  const page = await open(undefined, { locale: 'de-AT' })
  t.equal(await page.getAttribute('html', 'lang'), 'de')
  await page.getByText('Jede Datei im Format, das Sie brauchen.').waitFor()
  await page.getByRole('button', { name: 'Einstellungen' }).click()
  await page.locator('.settings select').selectOption('العربية')
  for (const again of [true, false]) {
    await page.locator('html[dir=rtl][lang=ar]').waitFor()
    t.equal(await page.locator('.drop-button strong').innerText(), arabic['drop.title'])
    t.equal(await page.locator('footer a').first().innerText(), arabic['footer.help'])
    if (again) await page.reload()
  }
  await expectAccessible(t, page, 'Arabic')
})

/** A page of another website. */
const startForeign = () => {
  const html: RequestListener = (_req, res) => {
    res.setHeader('Content-Type', 'text/html; charset=utf-8').end('<!doctype html><title>Foreign</title>')
  }
  return startOrigin(html, { host: 'localhost' })
}

t.test('shared files arrive in the list, once, if the user agrees: another website can share them, too', async (t) => {
  await using foreign = await startForeign()
  const page = await open(undefined, {}, undefined, [foreign.base])
  const uploads: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/api/uploads')) uploads.push(request.url())
  })
  await untilReady(page)
  for (const [from, answer] of [
    [foreign.base, 'Cancel'],
    [foreign.base, 'Add the files'],
    [`${service.base}/`, 'Add the files'],
  ] as const) {
    await page.goto(from)
    await share(page, `${service.base}/page/share`)
    t.match(await questionOn(page).innerText(), /story\.stub[\s\S]+notes ü\.txt/)
    await expectAccessible(t, page, 'a question')
    t.equal(page.url(), `${service.base}/`)
    const kept = await page.evaluate(async () => (await (await caches.open('athanor-shared')).keys()).length)
    t.equal(kept, 0, 'the browser keeps none of them')
    t.equal(await page.locator('.files .row').count(), 0)
    t.strictSame(uploads, [], 'nothing is uploaded')
    await page.getByRole('button', { name: answer }).click()
    await questionOn(page).waitFor({ state: 'detached' })
    if (answer === 'Cancel') continue
    for (const name of ['story.stub', 'notes ü.txt']) await untilStage(page, name, 'ready')
    t.equal(await page.locator('.files .row').count(), 2)
    t.equal(uploads.splice(0).length, 2)
  }
  await page.goto(`${service.base}/#shared`)
  await page.reload()
  for (const name of ['story.stub', 'notes ü.txt']) await untilStage(page, name, 'ready')
  t.equal(await page.locator('.files .row').count(), 2, 'only what was there')
  t.strictSame(uploads, [])
})

t.test('another website uploads nothing, over HTTP and on this machine', async (t) => {
  await using foreign = await startForeign()
  // Browsers trust this machine, and tell it the site of a page.
  for (const base of [service.base, service.base.replace('127.0.0.1', 'athanor.test')]) {
    const page = await open(`${base}/`, {}, undefined, [foreign.base])
    await give(page, stub('own.stub'))
    await untilStage(page, 'own.stub', 'ready')
    await page.goto(foreign.base)
    const answered = page.waitForResponse(`${base}/api/uploads`)
    await send(page, `${base}/api/uploads`, 'file', { 'forged.stub': 'STUB\nforged' })
    t.equal((await answered).status(), 403, base)
  }
})

t.test('the bytes of the first load', async (t) => {
  const built = join(import.meta.dirname, '../../node_modules/.cache/athanor-page')
  const text = (name: string) => readFileSync(join(built, name), 'utf8')
  const scripts = readdirSync(built).filter((name) => name.endsWith('.js'))
  // What the page names: the script, and the parts that it shares with lazily loaded ones.
  const first = scripts.filter((name) => text('index.html').includes(`page/${name}"`))
  for (const [, name] of first
    .map(text)
    .join('\n')
    .matchAll(/(?:from|import)"\.\/([\w-]+\.js)"/g))
    t.ok(first.includes(name!), `${name} is named`)
  const styles = readdirSync(built).filter((name) => name.endsWith('.css'))
  for (const [what, names, ending, max] of [
    ['script, brotli', first, '.br', 28_000],
    ['script', first, '', 80_000],
    ['style, brotli', styles, '.br', 8_000],
    ['all scripts', scripts, '', 190_000],
  ] as const) {
    const bytes = names.reduce((sum, name) => sum + statSync(join(built, name + ending)).size, 0)
    t.ok(bytes > 0 && bytes <= max, `${what}: ${bytes} bytes`)
  }
  t.notMatch(scripts.map(text).join('\n'), /https?:\/\/(?!www\.w3\.org)/, 'no address of another host')
})
