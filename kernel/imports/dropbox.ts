import { ServiceError } from '../errors.ts'
import { type Fields, fieldsOf } from '../fields.ts'
import {
  badCursor,
  bytesOrNull,
  noSuchCloudFile,
  readAnswerJson,
  readAnswerText,
  refusalOf,
  requireOk,
  textOrNull,
} from './answers.ts'
import type { Incoming } from './client.ts'
import type { CloudEntry, OAuthProvider } from './provider.ts'
import { asSource } from './source.ts'

const LABEL = 'Dropbox'
const ID = /^id:[A-Za-z0-9_-]{1,100}$/

/** Dropbox, through its API v2 (dropbox.com/developers/documentation/http). */
export const dropbox: OAuthProvider = {
  kind: 'oauth',
  name: 'dropbox',
  label: LABEL,
  scope: 'files.metadata.read files.content.read',
  parameters: { token_access_type: 'offline' },
  drive({ apiUrl, contentUrl }, send) {
    const request = async (path: string, body: object, signal: AbortSignal, cursor?: string) => {
      const headers = { 'content-type': 'application/json' }
      const url = new URL(`${apiUrl}/2/files/${path}`)
      const incoming = await send(url, { method: 'POST', headers, body: JSON.stringify(body), signal })
      return readAnswerJson(await requireFound(incoming, cursor), LABEL)
    }

    return {
      async list({ folder = '', cursor }, signal) {
        if (folder && !ID.test(folder)) throw noSuchCloudFile(LABEL)
        const {
          entries,
          cursor: next,
          has_more,
        } = cursor === undefined
          ? await request('list_folder', { path: folder, limit: 200 }, signal)
          : await request('list_folder/continue', { cursor }, signal, cursor)
        return {
          files: (Array.isArray(entries) ? entries : []).map(toEntry).filter((entry) => entry !== undefined),
          nextCursor: has_more === true ? textOrNull(next) : null,
        }
      },

      async open(ref, allowance) {
        const { signal } = allowance
        if (!ID.test(ref)) throw noSuchCloudFile(LABEL)
        const record = await request('get_metadata', { path: ref }, signal)
        if (record['.tag'] !== 'file') throw noSuchCloudFile(LABEL)
        const form = exportOf(record)
        const content = await send(new URL(`${contentUrl}/2/files/${form.call}`), {
          method: 'POST',
          signal,
          headers: { 'dropbox-api-arg': JSON.stringify({ path: ref, ...form.parameters }) },
        })
        return asSource(await requireFound(content), form.name, allowance)
      },
    }
  },
  revoke: ({ apiUrl }, send, _tokens, signal) =>
    send(new URL(`${apiUrl}/2/auth/token/revoke`), { method: 'POST', signal }),
}

/** Chooses how to get a file. Exports Paper and third-party documents in the first format that Dropbox names. */
function exportOf(record: Fields): {
  call: string
  name: string
  parameters?: { export_format: string }
} {
  const name = String(record.name ?? 'file')
  if (record.is_downloadable !== false) return { call: 'download', name }
  const { export_as: as, export_options: options } = fieldsOf(record.export_info)
  const format = textOrNull(as) ?? textOrNull(Array.isArray(options) ? options[0] : null)
  if (!format || !/^[a-z0-9_]{1,20}$/.test(format)) {
    throw new ServiceError('UNSUPPORTED_FORMAT', `ref: ${LABEL} can neither download nor export it as a file`)
  }
  const extension = format === 'markdown' ? 'md' : format
  return {
    call: 'export',
    name: `${name.replace(/\.(?:paper|gdoc|gsheet|gslides)$/i, '')}.${extension}`,
    ...(!textOrNull(as) && { parameters: { export_format: format } }),
  }
}

/** Requires a file or folder. Dropbox sends 409 for any problem with a path, with the reason in the body. */
async function requireFound(incoming: Incoming, cursor?: string): Promise<Incoming> {
  if (incoming.status !== 409) return requireOk(incoming, LABEL, cursor)
  const text = await readAnswerText(incoming.body, LABEL)
  if (cursor !== undefined) throw badCursor()
  throw /"error_summary":\s*"(?:[a-z_]+\/)*(?:not_found|not_file|not_folder|malformed_path)/.test(text)
    ? noSuchCloudFile(LABEL)
    : refusalOf(409, LABEL)
}

function toEntry(value: unknown): CloudEntry | undefined {
  const item = fieldsOf(value)
  const id = textOrNull(item.id)
  const isFolder = item['.tag'] === 'folder'
  if (!id || !(isFolder || item['.tag'] === 'file')) return undefined
  // The size of an export is not known in advance.
  const size = isFolder || item.is_downloadable === false ? null : bytesOrNull(item.size)
  return { ref: id, name: String(item.name ?? id), size, isFolder }
}
