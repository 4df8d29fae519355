import { fieldsOf } from '../fields.ts'
import { bytesOrNull, noSuchCloudFile, readAnswerJson, requireOk, textOrNull } from './answers.ts'
import type { CloudEntry, OAuthProvider } from './provider.ts'
import { asSource } from './source.ts'

const LABEL = 'OneDrive'
const ID = /^[A-Za-z0-9!._-]{1,200}$/

/**
 * OneDrive, through Microsoft Graph v1.0 (learn.microsoft.com/graph/api/resources/onedrive). Microsoft has no call
 * that revokes one application's permission: users revoke it at account.live.com/consent/Manage.
 */
export const onedrive: OAuthProvider = {
  kind: 'oauth',
  name: 'onedrive',
  label: LABEL,
  scope: 'offline_access Files.Read',
  parameters: { prompt: 'select_account' },
  drive({ apiUrl }, send) {
    const at = (path: string, query: Record<string, string> = {}) =>
      new URL(`${apiUrl}/me/drive/${path}?${new URLSearchParams(query)}`)

    return {
      async list({ folder, cursor }, signal) {
        if (folder !== undefined && !isId(folder)) throw noSuchCloudFile(LABEL)
        const url = at(folder === undefined ? 'root/children' : `items/${folder}/children`, {
          $select: 'id,name,size,folder,file',
          $top: '200',
          ...(cursor !== undefined && { $skiptoken: cursor }),
        })
        const { value, '@odata.nextLink': next } = await readAnswerJson(await send(url, { signal }), LABEL, cursor)
        return {
          files: (Array.isArray(value) ? value : []).map(toEntry).filter((entry) => entry !== undefined),
          nextCursor: tokenOf(next),
        }
      },

      async open(ref, allowance) {
        const { signal } = allowance
        if (!isId(ref)) throw noSuchCloudFile(LABEL)
        const record = await readAnswerJson(
          await send(at(`items/${ref}`, { $select: 'id,name,file' }), { signal }),
          LABEL,
        )
        if (!record.file) throw noSuchCloudFile(LABEL)
        // Graph redirects to another server, which must not see the token.
        const content = requireOk(await send(at(`items/${ref}/content`), { signal }), LABEL)
        return asSource(content, String(record.name ?? 'file'), allowance)
      },
    }
  },
}

/** Returns true for a valid ID. An ID of dots only is invalid: it would change the path. */
const isId = (text: string) => ID.test(text) && !/^\.+$/.test(text)

/** Returns the token of a link. Clients must not get the link itself: they could send back one to any server. */
function tokenOf(link: unknown): string | null {
  return typeof link === 'string' && URL.canParse(link) ? new URL(link).searchParams.get('$skiptoken') : null
}

function toEntry(value: unknown): CloudEntry | undefined {
  const item = fieldsOf(value)
  const id = textOrNull(item.id)
  // Notebooks are neither files nor folders and cannot be downloaded.
  if (!id || !(item.file || item.folder)) return undefined
  const isFolder = item.folder !== undefined
  return { ref: id, name: String(item.name ?? id), size: isFolder ? null : bytesOrNull(item.size), isFolder }
}
