/**
 * Whether a text is a JWS in compact form (RFC 7515 §7.1) in its only valid spelling: three parts of base64url without
 * padding, whitespace or stray bits. Decoders accept other spellings of the same bytes. Then one token would have
 * several texts, and could not be revoked, logged or compared by its text.
 */
export function isCompactToken(token: string): boolean {
  const parts = token.split('.')
  return parts.length === 3 && parts.every((part) => Buffer.from(part, 'base64url').toString('base64url') === part)
}
