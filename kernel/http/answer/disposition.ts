import { format } from 'content-disposition'
import { portableName } from '../../files/uploads/portable-name.ts'

/**
 * Returns the Content-Disposition of a download (RFC 6266), with both forms of the name: plain ASCII, and `filename*`
 * with only the attr-chars of RFC 8187. Quotes, path separators and control characters become `_` or are removed.
 * Names of Windows devices (`NUL.png`) get a `_` in front.
 */
export function attachment(name: string): string {
  const safe = portableName(name)
  // Again, since NFKD makes separators and dots of look-alikes, such as fullwidth ones.
  const ascii = portableName(
    safe
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .replace(/[^\x20-\x7e]/gu, '_'),
  )
  const extended = encodeURIComponent(safe).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
  const parameters = { filename: ascii, 'filename*': `UTF-8''${extended}` }
  return format({ type: 'attachment', parameters }, { extended: false })
}
