import { randomUUID } from 'node:crypto'
import type { Kernel } from '../../boot/kernel.ts'
import { PENDING } from '../../database/tables/conversions.ts'
import { type Code, ServiceError } from '../../errors.ts'
import { portableName } from '../../files/uploads/portable-name.ts'
import type { StoredFile } from '../../files/uploads/stored-file.ts'
import type { Downloadable } from '../../jobs/downloads.ts'
import { startOrOptimise } from '../../jobs/start.ts'
import type { Owner } from '../../people/owner.ts'
import { attachment } from '../answer/disposition.ts'
import { describeFile, expiredFile, streamFile } from '../answer/file.ts'
import { streamZip } from '../answer/zip.ts'
import { untilGone, untilTurn } from '../connection/client-gone.ts'
import type { Context } from '../context.ts'
import type { Edge } from '../endpoint.ts'
import { ownerOf } from '../identity/identity.ts'
import type { ForeignRequest } from '../operation.ts'
import { discard } from '../request/admit-once.ts'
import { type FormRules, isForm, type ReceivedFile, receiveFiles } from '../request/upload-form.ts'
import { invalid, readGotenbergForm } from './gotenberg-form.ts'

/** Maximum number of fields of a form: Gotenberg has about 80. */
const MAX_FIELDS = 100

/** Maximum number of files of a form, where the plan has no limit. */
const MAX_FILES = 100

const PDF = 'pdf'
const ARCHIVED = 'pdfa.pdf'

/** Statuses of Gotenberg that differ from those of the same refusals here. */
const STATUSES: Partial<Record<Code, number>> = {
  CONVERSION_ERROR: 400,
  ENCRYPTED_INPUT: 400,
  RESOURCE_LIMIT: 500,
  CANCELLED: 500,
  TIMEOUT: 503,
}

/** The error of a request, as Gotenberg sends it. */
export function gotenbergError(ctx: ForeignRequest, { code, status, message }: ServiceError) {
  trace(ctx)
  return { status: STATUSES[code] ?? status, text: message }
}

/** Sets the header by which clients find a request in their logs: from the client, else the id in ours. */
function trace(ctx: ForeignRequest): void {
  const given = ctx.get('Gotenberg-Trace')
  ctx.set('Gotenberg-Trace', /^[\x21-\x7e]{1,128}$/.test(given) ? given : ctx.state.requestId)
}

/** A document on its way. */
interface Document {
  file: StoredFile
  /** Id of its conversion. */
  id: string
}

/**
 * Converts the documents of a form to PDF, and answers with one PDF or a ZIP of several. Nothing is kept: clients of
 * Gotenberg could not find it again.
 */
export async function convertAsGotenberg(
  kernel: Kernel,
  edge: Edge,
  { ctx, recheck }: { ctx: Context; recheck: () => Promise<void> },
): Promise<void> {
  trace(ctx)
  if (ctx.get('Gotenberg-Webhook-Url'))
    throw invalid("header 'Gotenberg-Webhook-Url' is not supported here; wait for the answer")
  if (!isForm(ctx)) {
    throw new ServiceError('UNSUPPORTED_MEDIA_TYPE', "Invalid 'Content-Type' header value: want 'multipart/form-data'")
  }
  const gone = untilGone(ctx)
  const owner = await payerOf(kernel, ctx)
  const plan = kernel.config.plans[owner.plan]
  const rules: FormRules = {
    field: 'files',
    // Some clients name each part by its file.
    anyField: true,
    files: plan.filesPerBatch ?? MAX_FILES,
    fields: MAX_FIELDS,
    expected: `Invalid form data: no form file found, or more than ${plan.filesPerBatch ?? MAX_FILES}`,
  }
  const { received, fields } = await receiveFiles(ctx, kernel, owner, recheck, rules)
  const documents: Document[] = []
  const remove = () => removeAll(kernel, owner, documents)
  try {
    await start(kernel, owner, received, { ...(fields as object) }, documents)
    const { socket } = ctx.req
    // Nothing moves on the connection meanwhile.
    socket.setTimeout(kernel.config.doors.gotenbergTimeout + kernel.config.http.idleTimeout)
    await finish(kernel, owner, documents, gone)
    socket.setTimeout(kernel.config.http.idleTimeout)
    await answer(kernel, edge, ctx, documents, gone)
  } catch (error) {
    await remove()
    throw error
  }
  // The answer is read from the files until it is complete.
  gone.addEventListener('abort', () => void remove(), { once: true })
  if (gone.aborted) await remove()
}

/** Who owns and pays for it: the client by its credential, else the account of this door. */
async function payerOf({ accounts, config }: Kernel, { state }: Context): Promise<Owner> {
  const { gotenbergAccount: email } = config.doors
  if (state.owner.kind === 'user' || email === undefined) return state.owner
  const user = await accounts.users.byEmail(email)
  if (user?.status !== 'active') {
    throw new ServiceError('FORBIDDEN', 'The account of this door does not exist, or is suspended; ask the operator')
  }
  return ownerOf(config, state.origin, user)
}

/** Stores each document, and starts its conversion. @param documents Gets them, as they start. */
async function start(
  { files, conversions }: Kernel,
  owner: Owner,
  received: ReceivedFile[],
  fields: object,
  documents: Document[],
): Promise<void> {
  const waiting = [...received]
  try {
    const { archive } = readGotenbergForm(fields, received.length)
    const toFormat = archive ? ARCHIVED : PDF
    for (let next = waiting[0]; next; next = waiting[0]) {
      waiting.shift()
      const { name, staged } = next
      const { file } = await files.admit(owner, staged, name).catch((error) => {
        throw forDocument(name, error)
      })
      const document = { file, id: '' }
      documents.push(document)
      const request = { fileId: file.key, toFormat, fileName: file.name }
      const started = await startOrOptimise(conversions.start, owner, request).catch((error) => {
        throw forDocument(name, error)
      })
      document.id = started.conversionId
    }
  } finally {
    for (const { staged } of waiting) await discard(staged)
  }
}

/** Says which document an error is about. */
function forDocument(name: string, error: unknown): unknown {
  if (!(error instanceof ServiceError)) return error
  const { code, message, retryAfter } = error
  return new ServiceError(code, `The document '${name}' cannot be converted: ${message}`, {
    cause: error,
    ...(retryAfter !== undefined && { retryAfter }),
  })
}

/** Waits for all. @throws ServiceError the code of one that failed; TIMEOUT. */
async function finish({ config, conversions }: Kernel, owner: Owner, documents: Document[], gone: AbortSignal) {
  const { gotenbergTimeout } = config.doors
  const end = Date.now() + gotenbergTimeout
  for (const { file, id } of documents) {
    const seconds = Math.max(0, end - Date.now()) / 1000
    const { status, error } = await conversions.wait(owner, id, seconds, gone)
    gone.throwIfAborted()
    if (error) throw forDocument(file.name, new ServiceError(error.code as Code, error.message))
    if (PENDING.includes(status)) throw new ServiceError('TIMEOUT', 'The request exceeded the time limit')
  }
}

async function answer(kernel: Kernel, { places }: Edge, ctx: Context, documents: Document[], gone: AbortSignal) {
  const found = await Promise.all(
    documents.map(async ({ file, id }) => {
      const item = await kernel.conversions.downloadable(id)
      if (!item) throw expiredFile()
      return { ...item, source: file.name }
    }),
  )
  // Its own ending is added.
  const wanted = ctx.get('Gotenberg-Output-Filename') || randomUUID()
  const [only] = found
  if (only && found.length === 1) {
    const item: Downloadable = { ...only, name: `${wanted}.${PDF}` }
    describeFile(ctx, item)
    return streamFile(kernel, places, ctx, item, undefined, gone)
  }
  ctx.status = 200
  ctx.set({ 'Content-Type': 'application/zip', 'Content-Disposition': attachment(`${wanted}.zip`) })
  await untilTurn(ctx, gone)
  await places.take(ctx, gone)
  ctx.body = streamZip(named(found), kernel.files.open, undefined, gone)
}

/** Names each result by its document: `report.docx.pdf`; the second of that name is `2 report.docx.pdf`. */
function named(results: (Downloadable & { source: string })[]) {
  const used = new Set<string>()
  return results.map((result) => {
    const name = portableName(`${result.source}.${PDF}`)
    let path = name
    for (let count = 2; used.has(path); count++) path = `${count} ${name}`
    used.add(path)
    return { ...result, path }
  })
}

async function removeAll({ conversions, files, log }: Kernel, owner: Owner, documents: Document[]): Promise<void> {
  for (const { file, id } of documents) {
    try {
      if (id) await conversions.remove(owner, id)
      // A pending one was only cancelled.
      if (id) await conversions.remove(owner, id).catch(() => {})
      await files.erase(file.key)
    } catch (error) {
      log.warn({ err: error }, 'a document that came as to Gotenberg stays until it expires')
    }
  }
}
