import { decodeBy, guessCharset } from './charset.ts'

/** Bytes that are searched for a declared character set, and bytes that a guess considers. */
const HEAD = 4096
const LOOK = 65_536

const by = (label: string, bytes: Uint8Array, fatal = false): string | undefined => {
  try {
    return new TextDecoder(label, { fatal }).decode(bytes)
  } catch {
    return undefined
  }
}

/** Decodes a text: by its byte order mark, as valid UTF-8, as it declares itself, or by a guess. */
export function decoded(bytes: Buffer): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return by('utf-16le', bytes)!
  if (first === 0xfe && second === 0xff) return by('utf-16be', bytes)!
  return by('utf-8', bytes, true) ?? declared(bytes) ?? guessed(bytes)
}

function declared(bytes: Buffer): string | undefined {
  const head = bytes.toString('latin1', 0, HEAD)
  const name = /<\?xml[^>]{0,200}encoding=["']([\w-]+)|<meta[^>]{0,200}charset=["']?\s*([\w-]+)/i.exec(head)
  const label = name?.[1] ?? name?.[2]
  // A text that declares UTF-8, but is not valid, was probably put into a UTF-8 page.
  return label && !/^utf-?8$/i.test(label) ? by(label, bytes) : undefined
}

function guessed(bytes: Buffer): string {
  const lines = bytes.toString('latin1', 0, LOOK).split(/[\r\n]+/)
  const foreign = lines.filter((line) => /[\x80-\xff]/.test(line)).map((line) => Buffer.from(line, 'latin1'))
  const likely = guessCharset(foreign)
  // Code page 437 occurs in names of old archives, hardly in texts.
  return decodeBy(likely === 'cp437' ? 'windows-1252' : likely, bytes)
}
