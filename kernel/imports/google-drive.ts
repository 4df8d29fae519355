import { ServiceError } from '../errors.ts'
import { fieldsOf } from '../fields.ts'
import { bytesOrNull, noSuchCloudFile, readAnswerJson, requireOk, textOrNull } from './answers.ts'
import type { CloudEntry, OAuthProvider } from './provider.ts'
import { asSource } from './source.ts'

const LABEL = 'Google Drive'
const PAGE = '200'
const ID = /^[A-Za-z0-9_-]{1,200}$/
const NATIVE = 'application/vnd.google-apps.'

/** Export formats of Google's own documents. Google exports up to 10 MB. */
const EXPORTS: Readonly<Record<string, { extension: string; mime: string }>> = {
  document: {
    extension: 'docx',
    mime: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  },
  spreadsheet: { extension: 'xlsx', mime: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' },
  presentation: {
    extension: 'pptx',
    mime: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  },
  drawing: { extension: 'pdf', mime: 'application/pdf' },
}

/** Google Drive, through its API v3 (developers.google.com/drive/api/reference/rest/v3). */
export const googleDrive: OAuthProvider = {
  kind: 'oauth',
  name: 'google-drive',
  label: LABEL,
  scope: 'https://www.googleapis.com/auth/drive.readonly',
  // Without these, Google gives a refresh token only the first time.
  parameters: { access_type: 'offline', prompt: 'consent' },
  drive({ apiUrl }, send) {
    const at = (path: string, query: Record<string, string>) =>
      new URL(`${apiUrl}/drive/v3/files${path}?${new URLSearchParams({ ...query, supportsAllDrives: 'true' })}`)

    return {
      async list({ folder = 'root', cursor }, signal) {
        if (!ID.test(folder)) throw noSuchCloudFile(LABEL)
        const url = at('', {
          q: `'${folder}' in parents and trashed = false`,
          fields: 'nextPageToken,files(id,name,mimeType,size,shortcutDetails(targetId,targetMimeType))',
          orderBy: 'folder,name_natural',
          includeItemsFromAllDrives: 'true',
          pageSize: PAGE,
          ...(cursor !== undefined && { pageToken: cursor }),
        })
        const { files, nextPageToken } = await readAnswerJson(await send(url, { signal }), LABEL, cursor)
        return {
          files: (Array.isArray(files) ? files : []).map(toEntry).filter((entry) => entry !== undefined),
          nextCursor: textOrNull(nextPageToken),
        }
      },

      async open(ref, allowance) {
        const { signal } = allowance
        if (!ID.test(ref)) throw noSuchCloudFile(LABEL)
        const record = await readAnswerJson(
          await send(at(`/${ref}`, { fields: 'id,name,mimeType' }), { signal }),
          LABEL,
        )
        const name = String(record.name ?? 'file')
        const mime = String(record.mimeType ?? '')
        if (!mime.startsWith(NATIVE)) {
          const content = requireOk(await send(at(`/${ref}`, { alt: 'media' }), { signal }), LABEL)
          return asSource(content, name, allowance)
        }
        const form = exportOf(mime)
        const exported = await send(at(`/${ref}/export`, { mimeType: form.mime }), { signal })
        return asSource(requireOk(exported, LABEL), `${name}.${form.extension}`, allowance)
      },
    }
  },
  async revoke({ revokeUrl }, send, { access, refresh }, signal) {
    // The configuration has a default for it.
    if (revokeUrl === undefined) throw new Error(`${LABEL} has no revokeUrl`)
    return send(new URL(revokeUrl), {
      method: 'POST',
      signal,
      body: new URLSearchParams({ token: refresh ?? access }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
  },
}

function exportOf(mime: string): { extension: string; mime: string } {
  const kind = mime.slice(NATIVE.length)
  const form = Object.hasOwn(EXPORTS, kind) ? EXPORTS[kind] : undefined
  if (form) return form
  const known = Object.keys(EXPORTS).join(', ')
  throw new ServiceError('UNSUPPORTED_FORMAT', `ref: ${LABEL} cannot export this kind of document; it exports ${known}`)
}

/** Converts a record to an entry. A shortcut becomes an entry for its target. */
function toEntry(value: unknown): CloudEntry | undefined {
  const file = fieldsOf(value)
  const { targetId, targetMimeType } = fieldsOf(file.shortcutDetails)
  const id = textOrNull(targetId ?? file.id)
  if (!id) return undefined
  const mime = targetMimeType ?? file.mimeType
  return {
    ref: id,
    name: String(file.name ?? id),
    size: bytesOrNull(file.size),
    isFolder: mime === `${NATIVE}folder`,
  }
}
