/**
 * Whether a text is a JWS in compact form (RFC 7515 §7.1) as it is written: three parts of base64url without padding,
 * whitespace or stray bits. Decoders take other spellings of the same bytes for the same token; what is revoked, logged
 * or compared by its text would then have several.
 */
export function isCompactToken(token: string): boolean {
  const parts = token.split('.')
  return parts.length === 3 && parts.every((part) => Buffer.from(part, 'base64url').toString('base64url') === part)
}
