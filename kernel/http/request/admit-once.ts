import { hashOf } from '../../files/storage/incoming.ts'
import type { Admission, Staged } from '../../files/uploads/admission.ts'
import type { Files } from '../../files/uploads/files.ts'
import type { Owner } from '../../people/owner.ts'
import type { Once } from './idempotency-key.ts'

/**
 * Whether a received file has come before: with the same name, length and SHA-256. It is then discarded, and also
 * if the request differs from the earlier one.
 * @param fields What was sent beside the file. @throws ServiceError IDEMPOTENCY_KEY_REUSED.
 */
export async function isSentAgain(once: Once, staged: Staged, name: string, fields: object = {}): Promise<boolean> {
  let isNew = false
  try {
    isNew = !(await once.isRepeated(async () => [
      staged.sha256 ?? (await hashOf(staged.path)),
      staged.size,
      name,
      fields,
    ]))
    return !isNew
  } finally {
    if (!isNew) await discard(staged)
  }
}

/** Removes a received file that is not to be kept. */
export async function discard(staged: Staged): Promise<void> {
  await staged.discard()
  staged.arrival.end()
}

/**
 * Records a file that has arrived, for a request that may have come before. Removes what an interrupted one has left.
 * @throws ServiceError what `Files.admit` throws.
 */
export async function admitOnce(
  files: Files,
  owner: Owner,
  { staged, name, once, signal }: { staged: Staged; name: string; once: Once; signal?: AbortSignal },
): Promise<Admission> {
  if (once.interrupted) await files.erase(once.interrupted)
  return files.admit(owner, staged, name, signal, async (transaction, key, record) => {
    await record()
    await once.made(transaction, key)
  })
}
