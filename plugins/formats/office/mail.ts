import type { Look } from '../../../kernel/contract.ts'

/** An email as text, by its header. */
export const mailText: Look = ({ text }, hint) => (text && isMail(text.body.slice(0, 4096), hint) ? 'eml' : undefined)

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
    else if (!/^[!-9;-~]{1,76}:/.test(line) && !(index > 0 && /^[ \t]/.test(line))) return false
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
