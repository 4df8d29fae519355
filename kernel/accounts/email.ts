const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const LOCAL_PART = "[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}"
const ADDRESS = new RegExp(`^${LOCAL_PART}@${LABEL}(?:\\.${LABEL})+$`, 'i')

/** Whether a text is an address that every mail server accepts (RFC 5321 §4.1.2): ASCII, no quotes, at most 254 characters. */
export const isEmail = (text: string) => text.length <= 254 && ADDRESS.test(text)

/** The address in lower case. RFC 5321 §2.4 lets the case of local parts matter, but no mail service does. */
export const canonicalEmail = (email: string) => email.toLowerCase()
