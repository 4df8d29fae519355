import { decodeBy, guessCharset } from './charset.ts'

/** Bytes in which a page or XML says its character set, and bytes in which letters are looked at. */
const HEAD = 4096
const LOOK = 65_536

const by = (label: string, bytes: Uint8Array, fatal = false): string | undefined => {
  try {
    return new TextDecoder(label, { fatal }).decode(bytes)
  } catch {
    return undefined
  }
}

/** What a text says: by its mark, as UTF-8 where it is that, as it says of itself, or as its letters are likeliest. */
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
  // What says UTF-8 and is none was put into a frame that says so.
  return label && !/^utf-?8$/i.test(label) ? by(label, bytes) : undefined
}

function guessed(bytes: Buffer): string {
  const lines = bytes.toString('latin1', 0, LOOK).split(/[\r\n]+/)
  const foreign = lines.filter((line) => /[\x80-\xff]/.test(line)).map((line) => Buffer.from(line, 'latin1'))
  const likely = guessCharset(foreign)
  // DOS of the West is in names of old archives, hardly in texts.
  return decodeBy(likely === 'cp437' ? 'windows-1252' : likely, bytes)
}
