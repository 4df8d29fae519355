const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const LOCAL_PART = "[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}"
const ADDRESS = new RegExp(`^${LOCAL_PART}@${LABEL}(?:\\.${LABEL})+$`, 'i')

/**
 * Whether every mail server accepts a text as an address (RFC 5321 §4.1.2): ASCII, no quotes, at most 254 characters.
 */
export const isEmail = (text: string) => text.length <= 254 && ADDRESS.test(text)

/** Returns the address in lower case. RFC 5321 §2.4 allows case-sensitive local parts, but no mail service has them. */
export const canonicalEmail = (email: string) => email.toLowerCase()
