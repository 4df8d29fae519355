import type { Look } from '../../../kernel/contract.ts'

/** Letters of a header that are read. */
const HEAD = 4096

/** An email or a web archive as text, by its header. */
export const mailText: Look = ({ text }, hint) => {
  const body = text?.body ?? ''
  // The header may be longer. Its last line, which is cut off, tells nothing.
  const start = body.length > HEAD ? body.slice(0, body.lastIndexOf('\n', HEAD) + 1 || HEAD) : body
  if (isWebArchive(start, hint)) return 'mht'
  return isMail(start, hint) ? 'eml' : undefined
}

/** What browsers write into the header, and what only mails have in it. */
const SAVED = /^(snapshot-content-location:|from:\s*"?<?saved by )/im
const SENT = /^(to|cc|bcc|received|delivered-to|return-path|message-id|reply-to):/im

/** A web archive is a MIME message that nobody sent (RFC 2557). */
function isWebArchive(start: string, hint: string): boolean {
  const header = /^(?:[!-9;-~]{1,76}:.*(?:\r?\n[ \t].*)*\r?\n)+/.exec(start)?.[0] ?? ''
  if (!/^(mime-version|content-type):/im.test(header)) return false
  if (SAVED.test(header)) return true
  const type = /^content-type:\s*(multipart\/related|text\/html|multipart\/alternative)/im
    .exec(header)?.[1]
    ?.toLowerCase()
  if (hint === 'mht') return type !== undefined
  return type === 'multipart/related' && /^mime-version:/im.test(header) && !SENT.test(header) && hint !== 'eml'
}

const CORE =
  /^(from|to|subject|date|received|message-id|mime-version|return-path|delivered-to|content-type|reply-to|cc):/i

/** An email begins with header fields, at least two of them well known (RFC 5322 §3.6). */
function isMail(start: string, hint: string): boolean {
  const lines = start.split(/\r?\n/, 100)
  if (/^From \S/.test(lines[0]!)) lines.shift()
  let core = 0
  for (const [index, line] of lines.entries()) {
    if (line === '') break
    if (CORE.test(line)) core++
    else if (!/^[!-9;-~]{1,76}:/.test(line) && !(index > 0 && /^[ \t]/.test(line))) return hint === 'eml' && core >= 3
  }
  return (
    core >= (hint === 'eml' ? 1 : 3) ||
    (core === 2 &&
      /^(from|to|received|return-path|message-id|date):/im.test(start) &&
      hint !== 'txt' &&
      hint !== 'yaml' &&
      hint !== 'md')
  )
}
