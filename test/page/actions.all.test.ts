/** Links, options for several files, settings, and what the system tells of an end. */
import t from 'tap'
import { choose, give, picture, setSleep, setUp, stub, untilStage } from '../harness/browser.ts'
import { startOrigin } from '../harness/servers/origin.ts'
import { paste } from './transfers.ts'

const { open } = await setUp(t, { imports: { allowNetworks: ['127.0.0.1'] } })

t.test('a link that does not work says so, and can be tried again; other text is no link', async (t) => {
  const { buffer } = await picture('far.png', 120)
  let there = false
  await using origin = await startOrigin((_req, res) => (there ? void res.end(buffer) : void res.writeHead(404).end()))
  const page = await open()
  await paste(page, `see ${origin.base}/a.png`)
  t.equal(await page.locator('.files .row').count(), 0)
  await paste(page, `${origin.base}/later.png`)
  await untilStage(page, 'later.png', 'failed')
  t.match(await page.locator('.problem').innerText(), /^This link could not be fetched\./)
  there = true
  await page.getByRole('button', { name: 'Try again: later.png' }).click()
  await untilStage(page, 'later.png', 'ready')
  t.equal(await page.locator('.problem').count(), 0)
  await paste(page, 'http://127.0.0.2/%E0%A4%A.png')
  await page.locator('.problem').getByText('Use a link that everybody can open.').waitFor()
})

t.test('options for all files of one target, and undo', async (t) => {
  const page = await open()
  const names = ['a.png', 'b.png', 'c.png']
  await give(page, ...(await Promise.all(names.map((name) => picture(name, 90)))))
  for (const name of names) await untilStage(page, name, 'ready')
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

t.test('when a long conversion ends, the system tells it, if somebody has asked for that', async (t) => {
  const page = await open()
  let saved = 0
  page.on('download', () => saved++)
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByLabel('Save the result automatically').uncheck()
  await page.keyboard.press('Escape')
  await page.evaluate(() => {
    const told: string[] = []
    class Told {
      static permission = 'default'
      static async requestPermission() {
        Told.permission = 'granted'
      }
      constructor(title: string, { body }: { body: string }) {
        told.push(`${title}: ${body}`)
      }
    }
    Object.assign(window, { Notification: Told, told })
    Object.defineProperty(document, 'hidden', { value: true })
  })
  await give(page, stub('long.stub'))
  await untilStage(page, 'long.stub', 'ready')
  await setSleep(page, 'long.stub', 12_000)
  await page.getByRole('button', { name: 'Convert', exact: true }).click()
  await page.getByRole('button', { name: 'Tell me when done' }).click()
  await untilStage(page, 'long.stub', 'done')
  await page.waitForFunction(() => (window as unknown as { told: string[] }).told.length)
  t.strictSame(await page.evaluate('told'), ['Athanor: 1 file converted.'])
  t.equal(saved, 0, 'nothing is saved without being asked for')
})
