import type { Test } from 'tap'

/** What a user has in one service, to be found again in another. */
export interface Belongings {
  email: string
  password: string
  /** An API key. */
  key: string
  /** The id of an uploaded file. */
  file: string
  /** The id of its conversion, and the result. */
  conversion: string
  result: string
}

/** Sends a request. @param key An API key or a session token. @throws Error unless the answer is of the class 2xx. */
export async function ask(base: string, key: string, method: string, path: string, body?: object | FormData) {
  const headers: Record<string, string> = { ...(key && { authorization: `Bearer ${key}` }) }
  const form = body instanceof FormData
  if (body && !form) headers['content-type'] = 'application/json'
  const content = form ? body : JSON.stringify(body)
  const answer = await fetch(base + path, { method, headers, ...(body && { body: content! }) })
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  return answer
}

const json = async (...request: Parameters<typeof ask>): Promise<any> => (await ask(...request)).json()

/** Starts a conversion by the stub plugin. */
export async function start(base: string, key: string, fileId: string, options: object = {}): Promise<string> {
  const body = { fileId, toFormat: 'bust', options }
  return (await json(base, key, 'POST', '/api/conversions', body)).conversionId
}

/** Waits for the end of a conversion. */
export async function finish(base: string, key: string, id: string): Promise<any> {
  for (let attempt = 0; attempt < 6; attempt++) {
    const { conversion } = await json(base, key, 'GET', `/api/conversions/${id}?wait=20`)
    if (['completed', 'failed'].includes(conversion.status)) return conversion
  }
  throw new Error(`${id} did not end`)
}

/** Downloads from a signed link of the service at `base`, by whatever name the link has for it. */
async function download(base: string, link: string): Promise<string> {
  const { pathname, search } = new URL(link, base)
  return (await ask(base, '', 'GET', pathname + search)).text()
}

/** Vouches for the address of an account, which is then charged alone. */
export type Verify = (email: string) => Promise<unknown>

/** Registers a user, who then uploads and converts. The service has the stub plugin. */
export async function belong(base: string, name: string, verify: Verify): Promise<Belongings> {
  const account = { email: `${name}@example.org`, password: 'correct horse battery' }
  const { token } = await json(base, '', 'POST', '/api/auth/register', account)
  await verify(account.email)
  const { key } = await json(base, token, 'POST', '/api/api-keys', { name: 'kept' })
  const form = new FormData()
  form.append('file', new Blob([`STUB\n${name}`]), 'a.stub')
  const file = (await json(base, key, 'POST', '/api/uploads', form)).file.fileId
  const { id, outputUrl } = await finish(base, key, await start(base, key, file))
  return { ...account, key, file, conversion: id, result: await download(base, outputUrl) }
}

/** Uses everything that the user had. */
export async function findAll(t: Test, base: string, kept: Belongings): Promise<void> {
  const { email, password, key } = kept
  await ask(base, '', 'POST', '/api/auth/login', { email, password })
  const { conversions } = await json(base, key, 'GET', '/api/conversions?limit=100')
  const { outputUrl } = conversions.find(({ id }: { id: string }) => id === kept.conversion)
  t.equal(await download(base, outputUrl), kept.result, 'the key opens the history, and the result is what it was')
  const again = await finish(base, key, await start(base, key, kept.file))
  t.equal(await download(base, again.outputUrl), kept.result, 'the upload can be converted again')
}
