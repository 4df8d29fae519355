import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Test } from 'tap'
import { withFolder } from '../harness/folder.ts'

const run = promisify(execFile)

/** What a user has in one service, to be found again in another. */
export interface Belongings {
  email: string
  password: string
  /** An API key. */
  key: string
  team: string
  /** The id of an uploaded file. */
  file: string
  /** Completed conversions, with their results. */
  conversions: { id: string; result: string }[]
  /** The id of a batch of two conversions. */
  batch: string
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

/** Uploads a text and returns its file. */
export async function upload(base: string, key: string, text: string): Promise<any> {
  const form = new FormData()
  form.append('file', new Blob([`STUB\n${text}`]), `${text}.stub`)
  return (await json(base, key, 'POST', '/api/uploads', form)).file
}

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
async function download(base: string, link: string): Promise<Buffer> {
  const { pathname, search } = new URL(link, base)
  return Buffer.from(await (await ask(base, '', 'GET', pathname + search)).arrayBuffer())
}

/** Vouches for the address of an account, which is then charged alone. */
export type Verify = (email: string) => Promise<unknown>

/** Registers a user, who then uploads, converts, and founds a team. The service has the stub plugin. */
export async function belong(base: string, email: string, verify: Verify): Promise<Belongings> {
  const password = 'correct horse battery'
  const { token } = await json(base, '', 'POST', '/api/auth/register', { email, password })
  await verify(email)
  const { key } = await json(base, token, 'POST', '/api/api-keys', { name: 'kept' })
  const { team } = await json(base, token, 'POST', '/api/teams', { name: 'Keepers' })
  const files = []
  for (const text of ['one', 'two', 'three']) files.push(await upload(base, key, text))
  const conversions = []
  for (const { fileId } of files) {
    const { id, outputUrl } = await finish(base, key, await start(base, key, fileId))
    conversions.push({ id, result: `${await download(base, outputUrl)}` })
  }
  const inBatch = files.slice(0, 2).map(({ fileId, size, format }, at) => {
    return { fileId, fileName: `${at}.stub`, fileSize: size, fromFormat: format }
  })
  const batch = await json(base, key, 'POST', '/api/conversions/batch', { files: inBatch, toFormat: 'bust' })
  for (const { conversionId } of batch.conversions) await finish(base, key, conversionId)
  return { email, password, key, team: team.id, file: files[0].fileId, conversions, batch: batch.batchId }
}

/** Uses everything that the user had. */
export async function findAll(t: Test, base: string, kept: Belongings): Promise<void> {
  const { email, password, key } = kept
  const { token } = await json(base, '', 'POST', '/api/auth/login', { email, password })
  const { teams } = await json(base, token, 'GET', '/api/teams')
  t.match(teams, [{ id: kept.team, name: 'Keepers' }], 'the password opens the account, and the team is there')

  const { conversions } = await json(base, key, 'GET', '/api/conversions?limit=100')
  const listed = conversions.map(({ id }: { id: string }) => id)
  for (const { id, result } of kept.conversions) {
    t.ok(listed.includes(id), 'the key opens the history')
    const { conversion } = await json(base, key, 'GET', `/api/conversions/${id}`)
    t.equal(`${await download(base, conversion.outputUrl)}`, result, 'the result is what it was')
  }

  const { batch } = await json(base, key, 'GET', `/api/conversions/batch/${kept.batch}`)
  t.equal(await unzipped(await download(base, batch.outputUrl)), kept.conversions.slice(0, 2).map(toResult).join(''))
  const again = await finish(base, key, await start(base, key, kept.file))
  t.equal(`${await download(base, again.outputUrl)}`, kept.conversions[0]!.result, 'the upload can be converted again')
}

const toResult = ({ result }: { result: string }) => result

/** Returns the content of all members of a ZIP. */
const unzipped = (zip: Buffer): Promise<string> =>
  withFolder(async (folder) => {
    await writeFile(join(folder, 'all.zip'), zip)
    return (await run('bsdtar', ['-xOf', join(folder, 'all.zip')])).stdout
  })
