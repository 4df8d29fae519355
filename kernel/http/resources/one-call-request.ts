import type { Kernel } from '../../boot/kernel.ts'
import { ServiceError } from '../../errors.ts'
import type { StoredFile } from '../../files/uploads/stored-file.ts'
import type { StartRequest } from '../../jobs/start.ts'
import type { Owner } from '../../people/owner.ts'
import type { Context } from '../context.ts'
import { discard, isSentAgain } from '../request/admit-once.ts'
import { type Once, UNKEYED } from '../request/idempotency-key.ts'
import { receiveImport } from '../request/import.ts'
import { readJson } from '../request/json-body.ts'
import type { FieldsOf, ObjectSchema } from '../request/schema.ts'
import { isForm, receiveFile } from '../request/upload-form.ts'
import { createCheck } from '../request/validation.ts'
import { CONVERSION_OPTIONS, jobIntent, toFormat } from './conversion-start.ts'
import { urlFields } from './url-imports.ts'

const shared = {
  toFormat,
  fromFormat: { type: 'string', minLength: 1, description: 'Source format, if not the detected one.' },
  fileName: { type: 'string', minLength: 1, maxLength: 255, description: 'Name of the file, if not its own.' },
  jobIntent,
} as const satisfies ObjectSchema['properties']

/** The fields of the form, beside its file. */
export const formFields = {
  type: 'object',
  required: ['toFormat'],
  properties: { ...shared, options: { type: 'string', description: 'Options as JSON.' } },
} as const satisfies ObjectSchema

/** The JSON body, for a file at a URL. */
export const jsonBody = {
  type: 'object',
  required: ['url', 'toFormat'],
  properties: {
    url: urlFields.url,
    headers: urlFields.headers,
    ...shared,
    options: { type: 'object', published: CONVERSION_OPTIONS },
  },
} as const satisfies ObjectSchema

const checkForm = createCheck<FieldsOf<typeof formFields>>(formFields, 'The form')
const checkJson = createCheck<FieldsOf<typeof jsonBody>>(jsonBody, 'The body')

/** What the handler of the one call passes on. */
interface OneCall {
  ctx: Context
  owner: Owner
  once: Once
  recheck: () => Promise<void>
}

/** Receives the file and starts its conversion, unless an earlier request with the same key has. Resolves to its id. */
export async function convert(kernel: Kernel, { ctx, owner, once, recheck }: OneCall): Promise<string> {
  if (isForm(ctx)) {
    const { name, staged, fields } = await receiveFile(ctx, kernel, owner, recheck)
    const request = await readFields(fields).catch(async (error) => {
      await discard(staged)
      throw error
    })
    await isSentAgain(once, staged, name, request)
    const earlier = await madeBefore(kernel, ctx, owner, once)
    if (earlier) {
      await discard(staged)
      return earlier
    }
    const { file } = await kernel.files.admit(owner, staged, request.fileName ?? name)
    return start(kernel, owner, file, request, once)
  }
  const { url, headers, ...request } = checkJson(await readJson(ctx))
  await once.isRepeated(() => ({ url, headers, ...request }))
  const earlier = await madeBefore(kernel, ctx, owner, once)
  if (earlier) return earlier
  await recheck()
  const source = { url, ...(headers && { headers }), ...(request.fileName && { fileName: request.fileName }) }
  const { file } = await receiveImport(kernel, ctx, owner, UNKEYED, (allowance) =>
    kernel.imports.openUrl(source, allowance),
  )
  return start(kernel, owner, file, request, once)
}

/**
 * The conversion that an earlier request with the same key has started. If its client left before the end, which
 * cancelled it, there is none: the client that asks again wants the result.
 */
async function madeBefore(kernel: Kernel, ctx: Context, owner: Owner, once: Once): Promise<string | undefined> {
  if (!once.interrupted) return undefined
  const { id, error } = await kernel.conversions.get(owner, once.interrupted)
  if (error?.code === 'CANCELLED') return undefined
  ctx.set('Idempotency-Replayed', 'true')
  return id
}

type Request = Omit<StartRequest, 'fileId'>

/** @throws ServiceError BAD_REQUEST. */
async function readFields(fields: unknown): Promise<Request> {
  const { options, ...request } = checkForm({ ...(fields as object) })
  if (options === undefined) return request
  let read: unknown
  try {
    read = JSON.parse(options)
  } catch {}
  if (typeof read !== 'object' || read === null || Array.isArray(read)) {
    throw new ServiceError('BAD_REQUEST', 'options must be a JSON object')
  }
  return { ...request, options: read as Record<string, unknown> }
}

/** Starts the conversion. If it is refused, the file goes, too. */
async function start(kernel: Kernel, owner: Owner, file: StoredFile, request: Request, once: Once): Promise<string> {
  try {
    const fileName = request.fileName ?? file.name
    const started = await kernel.conversions.start(owner, { ...request, fileId: file.key, fileName }, once.made)
    return started.conversionId
  } catch (error) {
    await kernel.files.erase(file.key).catch(() => {})
    throw error
  }
}
