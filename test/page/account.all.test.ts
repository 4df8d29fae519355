/** Accounts on the page: keys, usage, a new password by mail; and a service closed to guests. */
import type { Page } from 'playwright-core'
import t from 'tap'
import { setUp, violations } from '../harness/browser.ts'
import { startOrigin } from '../harness/servers/origin.ts'
import { until } from '../harness/until.ts'

const { open, service } = await setUp(t, {
  plans: { guest: { conversionsPerDay: 0 }, free: { apiKeys: 2, conversionsPerDay: 7 } },
  http: { hosts: ['athanor.test'] },
  webhooks: { allowNetworks: ['127.0.0.0/8'] },
})
const PASSWORD = 'correct horse battery'
const ready = '.account form'

async function fill(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password').fill(password)
}

/** Registers on an open page, and opens the files. */
async function register(page: Page, email: string): Promise<void> {
  await page.getByRole('button', { name: 'Create an account' }).click()
  await fill(page, email, PASSWORD)
  await page.getByRole('button', { name: 'Create an account' }).click()
  await page.locator('.drop-button').waitFor()
}

const openAccount = (page: Page) => page.getByRole('button', { name: 'Account', exact: true }).click()

t.test('webhooks: added, tried, removed', async (t) => {
  const page = await open(undefined, {}, ready)
  await page.getByText('Sign in to convert files.').waitFor()
  t.notOk(await page.locator('.drop-button').isVisible(), 'the service is closed to guests')
  t.strictSame(await violations(page), [])
  await register(page, 'hopper@example.org')
  await openAccount(page)
  await using origin = await startOrigin((_request, response) => response.writeHead(204).end())
  const address = page.getByLabel('Server address')
  await address.fill('http://10.0.0.1/')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page
    .getByRole('alert')
    .getByText(/private|not allowed|public/i)
    .waitFor()
  await address.fill(`${origin.base}/hook`)
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  t.match(await page.getByRole('textbox', { name: 'New key' }).inputValue(), /^whsec_/)
  await until(async () => {
    await page.getByRole('button', { name: /^Test: / }).click()
    return page.getByText('test delivered 204').first().isVisible()
  })
  t.strictSame(await violations(page), [])
  await page.getByRole('button', { name: /^Remove: / }).click()
  await page.getByText(`${origin.base}/hook`).waitFor({ state: 'detached' })
})

t.test('a new key is copied on plain HTTP, without the clipboard API', async (t) => {
  const page = await open(`${service.base.replace('127.0.0.1', 'athanor.test')}/`, {}, ready)
  t.notOk(await page.evaluate('navigator.clipboard'))
  await register(page, 'grace@example.org')
  await openAccount(page)
  await page.getByText('0 of 7').waitFor()
  await page.getByLabel('What the key is for').fill('build server')
  await page.getByRole('button', { name: 'Create a key' }).click()
  const key = await page.getByRole('textbox', { name: 'New key' }).inputValue()
  await page.evaluate(() =>
    document.addEventListener('copy', () => Object.assign(window, { copied: String(getSelection()) }), { once: true }),
  )
  await page.getByRole('button', { name: 'Copy' }).click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  t.equal(await page.evaluate('copied'), key)
  await page.getByText('not used yet').waitFor()
  await page.route('**/api/api-keys/*', (route) => route.fulfill({ status: 500, body: '{}' }), { times: 1 })
  await page.getByRole('button', { name: 'Revoke build server' }).click()
  await page.getByRole('alert').getByText('Something went wrong.').waitFor()
  t.strictSame(await violations(page), [])
})

t.test('a new password: the link that the operator finds in the log, then signing in with it', async (t) => {
  const page = await open(undefined, {}, ready)
  await register(page, 'joan@example.org')
  const other = await open(undefined, {}, ready)
  await other.getByRole('button', { name: 'Forgot the password?' }).click()
  await other.getByLabel('Email address').fill('joan@example.org')
  t.strictSame(await violations(other), [])
  await other.getByRole('button', { name: 'Send the link' }).click()
  await other.getByText('This service sends no mail. Ask its operator for the link.').waitFor()
  const link = () => /http[^"\s]+\/reset#token=[\w-]+/.exec(service.log())?.[0]
  await until(() => link() !== undefined)
  const third = await open(link()!, {}, ready)
  t.notMatch(third.url(), /token/, 'the secret does not stay in the address')
  await third.getByLabel('New password').fill('staple correct horse')
  t.strictSame(await violations(third), [])
  await third.getByRole('button', { name: 'Set the password' }).click()
  await third.getByText('The new password is set. Sign in with it.').waitFor()
  await fill(third, 'joan@example.org', 'staple correct horse')
  await third.getByRole('button', { name: 'Sign in', exact: true }).click()
  await third.locator('.drop-button').waitFor()
  await page.reload()
  await page.getByText('Sign in to convert files.').waitFor()
  t.equal(await page.evaluate(() => localStorage.getItem('athanor.session')), null, 'earlier sessions have ended')
})

t.test('the password is changed and the account deleted, both with the current password only', async (t) => {
  const page = await open(undefined, {}, ready)
  await register(page, 'mary@example.org')
  await openAccount(page)
  const change = page.locator('details', { hasText: 'Change the password' })
  await change.locator('summary').click()
  const asked = change.getByLabel('Password', { exact: true })
  await asked.fill('not the password')
  await change.getByLabel('New password').fill(`${PASSWORD} 2`)
  await change.getByRole('button').click()
  await change.getByRole('alert').getByText('The password is wrong.').waitFor()
  await asked.fill(PASSWORD)
  await change.getByRole('button').click()
  await change.getByText('The password is changed.').waitFor()
  const leave = page.locator('details', { hasText: 'Delete the account' })
  await leave.locator('summary').click()
  t.strictSame(await violations(page), [])
  await leave.getByLabel('Password').fill(`${PASSWORD} 2`)
  await leave.getByRole('button').click()
  await page.getByText('Sign in to convert files.').waitFor()
  await fill(page, 'mary@example.org', `${PASSWORD} 2`)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('alert').getByText('Email or password is wrong.').waitFor()
})
