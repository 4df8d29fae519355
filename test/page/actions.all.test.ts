/** Actions on several files, links, and what the settings of the page change. */
import t from 'tap'
import { choose, give, picture, row, setSleep, setUp, stub, untilStage } from '../harness/browser.ts'
import { startOrigin } from '../harness/servers/origin.ts'
import { paste } from './transfers.ts'

const imports = { allowNetworks: ['127.0.0.1'] }
const { open, service } = await setUp(t, { imports, queue: { workers: 1 } })
const { buffer } = await picture('far.png', 120)
let there = false
const origin = await startOrigin((req, res) =>
  req.url === '/gone.png' || (req.url === '/later.png' && !there)
    ? void res.writeHead(404).end()
    : void res.end(buffer),
)
t.teardown(() => origin[Symbol.asyncDispose]())

t.test('a link that failed can be tried again', async (t) => {
  const page = await open()
  await paste(page, `${origin.base}/later.png`)
  await untilStage(page, 'later.png', 'failed')
  there = true
  await page.getByRole('button', { name: 'Try again: later.png' }).click()
  await untilStage(page, 'later.png', 'ready')
  t.equal(await page.locator('.problem').count(), 0)
})

t.test('a link that does not work says so; other text is no link', async (t) => {
  const page = await open()
  await paste(page, `see ${origin.base}/a.png`)
  t.equal(await page.locator('.files .row').count(), 0)
  await paste(page, `${origin.base}/gone.png`)
  await untilStage(page, 'gone.png', 'failed')
  t.match(await page.locator('.problem').innerText(), /^This link could not be fetched\./)
  await paste(page, 'http://127.0.0.2/%E0%A4%A.png')
  await page.locator('.files .row[data-stage=failed]').nth(1).waitFor()
  t.match(await page.locator('.problem').nth(1).innerText(), /Use a link that everybody can open\./)
})

t.test('options for all files of one target, and undo', async (t) => {
  const page = await open()
  await give(page, await picture('a.png', 90), await picture('b.png', 90), await picture('c.png', 90))
  for (const name of ['a.png', 'b.png', 'c.png']) await untilStage(page, name, 'ready')
  for (const name of ['a.png', 'b.png']) await choose(page, name, 'webp')
  await page.getByRole('button', { name: 'Options for a.png' }).click()
  await page.getByText('More options').click()
  await page.getByLabel('Max. width').fill('30')
  await page.getByRole('button', { name: 'Apply to all 2 files with target WEBP' }).click()
  await page.getByText('Files changed: 1').waitFor()
  await page.getByRole('button', { name: 'Options for b.png' }).click()
  const width = page.getByRole('group', { name: 'Options for b.png' }).getByLabel('Max. width')
  t.equal(await width.inputValue(), '30')
  await page.getByRole('button', { name: 'Undo' }).click()
  t.equal(await width.inputValue(), '')
})

t.test('several files wait, end, and stay at the service when the list is cleared', async (t) => {
  const page = await open()
  await give(page, stub('one.stub'), stub('two.stub'))
  for (const name of ['one.stub', 'two.stub']) await untilStage(page, name, 'ready')
  await setSleep(page, 'one.stub', 4000)
  const [started] = await Promise.all([
    page.waitForResponse((answer) => answer.url().endsWith('/conversions/batch')),
    page.getByRole('button', { name: 'Convert 2 files' }).click(),
  ])
  await untilStage(page, 'two.stub', 'queued')
  await row(page, 'two.stub').getByText('In the queue, place 1').waitFor()
  for (const name of ['one.stub', 'two.stub']) await untilStage(page, name, 'done')
  const { conversions } = await started.json()
  const headers = { 'x-guest-fingerprint': (await started.request().allHeaders())['x-guest-fingerprint']! }
  const statuses = () =>
    Promise.all(
      conversions.map(async ({ conversionId }: { conversionId: string }) => {
        const answer = await fetch(`${service.base}/api/conversions/${conversionId}`, { headers })
        return answer.status
      }),
    )
  t.strictSame(await statuses(), [200, 200])
  await page.getByRole('button', { name: 'Clear list' }).click()
  await page.locator('.files').waitFor({ state: 'detached' })
  const earlier = page.getByRole('region', { name: 'Earlier conversions' }).locator('.row')
  await earlier.nth(1).waitFor()
  t.strictSame(await statuses(), [200, 200])
  await page.reload()
  await earlier.nth(1).waitFor()
})

t.test('results are saved only on request if the setting says so', async (t) => {
  const page = await open()
  let saved = 0
  page.on('download', () => saved++)
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByLabel('Save the result automatically').uncheck()
  await page.keyboard.press('Escape')
  await page.reload()
  await give(page, await picture('a.png'))
  await untilStage(page, 'a.png', 'ready')
  await choose(page, 'a.png', 'jpg')
  await page.getByRole('button', { name: 'Convert', exact: true }).click()
  await untilStage(page, 'a.png', 'done')
  const [asked] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: /^Download a\.png/ }).click(),
  ])
  t.equal(asked.suggestedFilename(), 'a.jpg')
  t.equal(saved, 1)
})
