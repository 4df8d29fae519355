import type { Kernel } from '../../boot/kernel.ts'
import { newId } from '../../database/ids.ts'
import { ServiceError } from '../../errors.ts'
import { storageKey } from '../../files/storage/keys.ts'
import type { Admission } from '../../files/uploads/admission.ts'
import { displayName, extensionOf, stemOf } from '../../files/uploads/display-name.ts'
import { requireActive } from '../../people/credentials.ts'
import type { Owner } from '../../people/owner.ts'
import { HANDLE_LIFETIME, type UploadHandle } from '../../people/upload-handles.ts'
import { baseUrl, type Context } from '../context.ts'
import { guestOf, ownerOf } from '../identity/identity.ts'
import { discard } from '../request/admit-once.ts'
import { receiveBytes } from '../request/raw-upload.ts'

/** Where the bytes go. */
export const HANDLE_PATH = '/api/uploads/handle'

/** Promises a place for a file. The file belongs to the owner, whoever sends it. */
export async function makeHandle({ config, handles }: Kernel, ctx: Context, owner: Owner, given: string) {
  const name = displayName(given)
  const extension = extensionOf(name)
  const safe = /^[A-Za-z0-9.]+$/.test(extension) ? extension.toLowerCase() : 'file'
  const key = storageKey('uploads', newId(), stemOf(name, [extension]), safe, Date.now())
  const token = await handles.sign({ owner: owner.id, key, name })
  return {
    fileId: key,
    uploadUrl: `${baseUrl(config, ctx)}${HANDLE_PATH}?token=${token}`,
    expiresIn: HANDLE_LIFETIME / 1000,
  }
}

/**
 * Takes the bytes that a handle was made for.
 * @throws ServiceError UNAUTHORIZED for a handle that is not valid any more, FORBIDDEN for a suspended account, and
 * those of uploads.
 */
export async function takeUpload(kernel: Kernel, ctx: Context, token: string): Promise<Admission> {
  const { config, files, handles } = kernel
  const handle = await handles.verify(token)
  if (!handle) throw unusable()
  const { key, name } = handle
  const owner = await ownerNow(kernel, ctx, handle)
  if (await files.lookUp(key)) throw unusable()
  const staged = await receiveBytes(ctx, files, owner, config.plans[owner.plan])
  // The body can be held back until the account is suspended.
  await ownerNow(kernel, ctx, handle).catch(async (error: unknown) => {
    await discard(staged)
    throw error
  })
  try {
    return await files.admit(owner, { ...staged, key }, name)
  } catch (error) {
    // Of two that send at the same time, one has won.
    if (!(error instanceof ServiceError) && (await files.lookUp(key))) throw unusable()
    throw error
  }
}

/** An account may have changed since it asked for it. The bytes of guests count against the address that sends them. */
async function ownerNow({ accounts, config }: Kernel, ctx: Context, { owner: id }: UploadHandle): Promise<Owner> {
  if (id.startsWith('guest_')) return { ...guestOf(config, ctx.state.origin, undefined), id }
  const user = await accounts.users.byId(id)
  if (!user) throw unusable()
  requireActive(user)
  return ownerOf(config, ctx.state.origin, user)
}

const unusable = () =>
  new ServiceError(
    'UNAUTHORIZED',
    'token: this URL has expired, or has taken its file; get a new one by the tool upload',
  )
