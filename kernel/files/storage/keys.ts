/** Whether a text can be an id or a storage key: ASCII, 1 to 255 characters. Any other text needs no query. */
export const isKey = (text: string) => /^[A-Za-z0-9._/-]{1,255}$/.test(text)

/**
 * Builds a key such as `uploads/2026/11/21/<id>/<safe name>.<extension>`. Segments have only letters, digits, `.`, `_`
 * and `-`. A key has at most 200 characters.
 */
export function storageKey(
  area: 'uploads' | 'outputs',
  id: string,
  stem: string,
  extension: string,
  at: number,
): string {
  const day = new Date(at).toISOString().slice(0, 10).replaceAll('-', '/')
  const safe = stem
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/\.{2,}/g, '.')
    .replace(/^[-.]+|[-.]+$/g, '')
    .slice(0, 80)
  return `${area}/${day}/${id}/${safe || 'file'}.${extension}`
}

/** What all keys begin with. */
export const AREAS = ['uploads', 'outputs', 'parts'] as const

/** Keys of uploads and results. */
const FILE = /^(uploads|outputs)\/\d{4}\/\d\d\/\d\d\/[0-9a-f]{32}(-\d+)?\/[A-Za-z0-9._-]+$/

/** Keys of parts of uploads (part-objects.ts), with the upload's id. */
const PART = /^parts\/([0-9a-f-]{36})\/\d+-\d+-[0-9a-f]{64}$/

/** Whether the service could have made a key. Other programs may store objects in the same bucket. */
export const isMade = (key: string) => key.length <= 255 && (FILE.test(key) || PART.test(key))

/** Returns what a record names a stored file by: its key, or the id of the upload that it is a part of. */
export const recordedName = (key: string) => PART.exec(key)?.[1] ?? key
