/** Sign-in with a provider on the page: there and back, refused, and a failure of the provider. */
import t from 'tap'
import { setUp, violations } from '../harness/browser.ts'
import { CLIENT, startOpenIdProvider } from '../harness/servers/openid.ts'
import { proxyOf } from '../harness/servers/proxy.ts'
import { PASSWORD } from '../http/people.ts'

// The address of the page must be known before the service starts.
const proxy = await proxyOf(t)
const provider = await startOpenIdProvider([`${proxy.base}/api/auth/company/callback`])
t.teardown(() => provider[Symbol.asyncDispose]())
const accounts = {
  returnUrl: `${proxy.base}/`,
  providers: { company: { issuer: provider.issuer, name: 'The company', ...CLIENT } },
}
const { open, service } = await setUp(t, { accounts }, { PUBLIC_URL: proxy.base })
proxy.target = service.base

/** Opens the page, and goes to the provider's form. */
async function leave() {
  const page = await open(`${proxy.base}/`, {}, '.drop-button', [provider.issuer])
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  const button = page.getByRole('button', { name: 'Sign in with The company' })
  await button.waitFor()
  t.strictSame(await violations(page), [])
  await button.click()
  await page.locator('input[name=login]').waitFor()
  return page
}

for (const [name, isVerified, said] of [
  ['ada', true, /ada@company\.example/],
  ['eve', false, /The company has no verified/],
] as const)
  t.test(
    `there and back, with an address that is ${isVerified ? 'verified' : 'not, which the page says'}`,
    async (t) => {
      provider.people[name] = { email: `${name}@company.example`, email_verified: isVerified, name }
      const page = await leave()
      await page.locator('input[name=login]').fill(name)
      await page.locator('input[name=password]').fill('x')
      await page.locator('button[type=submit]').click()
      await page.getByRole('button', { name: /Continue/ }).click()
      if (isVerified) await page.getByRole('button', { name: 'Account', exact: true }).click()
      await page.getByText(said).waitFor()
      t.equal(page.url(), `${proxy.base}/`, 'no token stays in the address')
      t.equal(await page.evaluate(() => localStorage.getItem('athanor.session') !== null), isVerified)
    },
  )

t.test("after a sign-in that was given up, a stranger's link signs nobody in", async (t) => {
  const stranger = { email: 'stranger@company.example', password: PASSWORD }
  const registered = await fetch(`${service.base}/api/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(stranger),
  })
  const { token } = (await registered.json()) as { token: string }
  const page = await leave()
  const elsewhere = page.url()
  await page.goto(`${proxy.base}/`)
  await page.locator('.drop-button').waitFor()
  await page.goto(elsewhere)
  await page.goto(`${proxy.base}/#token=${token}`)
  await page.locator('.drop-button').waitFor()
  t.equal(await page.evaluate(() => localStorage.getItem('athanor.session')), null)
  t.equal(page.url(), `${proxy.base}/`, 'and does not stay in the address')
})
