/**
 * Guesses the character set of file names that are not UTF-8, because archives do not declare it. For each character
 * set, a score rates how plausible the decoded characters are.
 */

/** A character set: how to decode it, and a score for each character in its context, from -1 to 1. */
interface Candidate {
  name: string
  decode: (bytes: Buffer) => string | undefined
  worth: (character: string, before: string, after: string) => number
}

/** Code page 437, the Western DOS characters, from 0x80. */
const CP437 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0'

const byDecoder = (label: string) => (bytes: Buffer) => {
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

const byTable = (table: string) => (bytes: Buffer) =>
  Array.from(bytes, (byte) => (byte < 128 ? String.fromCharCode(byte) : table[byte - 128])).join('')

const lower = (character: string) => character !== character.toUpperCase()

/** Whether a character is between two lower-case Latin letters, where no ideograph occurs. */
const between = (before: string, after: string) => /[a-z]/.test(before) && /[a-z]/.test(after)

/** A capital after a lower-case letter is unlikely, and so is a Cyrillic letter next to a Latin one. */
function cyrillic(character: string, before: string, after: string): number {
  if (!/[А-яЁёІіЇїЄє]/.test(character)) return /\p{L}/u.test(character) ? -0.5 : -1
  if (/[a-z]/i.test(before) || /[a-z]/i.test(after)) return -0.5
  if (lower(character)) return 1
  return lower(before) ? -0.5 : 0.8
}

function latin(character: string, before: string): number {
  if (!/[À-ÖØ-öø-ÿßœŒŠšŽž]/.test(character)) return -1
  if (/[^\x00-\x7f]/.test(before)) return -0.5
  return lower(character) || !lower(before) ? 0.7 : -0.3
}

/** The common characters are those of the first level of GB 2312. The rest of GBK is rare. */
function chinese(character: string): number {
  if (!/\p{Script=Han}/u.test(character)) return /[\u3000-\u3011\uff00-\uff5e]/.test(character) ? 0.3 : -0.7
  return COMMON.has(character) ? 1 : 0
}

function japanese(character: string): number {
  if (/[\u3041-\u30fe]/.test(character)) return 1
  if (/[\uff61-\uff9f]/.test(character)) return -0.4
  if (/\p{Script=Han}/u.test(character)) return 0.75
  return /[\u3000-\u3011\uff00-\uff5e]/.test(character) ? 0.5 : -0.7
}

/** Frequent syllables. Chinese that is decoded as Korean gives other ones. */
const SYLLABLES =
  '이다의는에을가고하를지로사도한시은서자기리인나대일어아정들라스해그수전부보장제있성상구조원주비안선국동경신공문년월회과트드우소개여학용계표목록새폴더녕글세요파사진음악영업무자료결'

function korean(character: string): number {
  if (!/[가-힣]/.test(character)) return -0.7
  return SYLLABLES.includes(character) ? 1.1 : 0.6
}

const CANDIDATES: readonly Candidate[] = [
  { name: 'shift_jis', decode: byDecoder('shift_jis'), worth: japanese },
  { name: 'gb18030', decode: byDecoder('gb18030'), worth: chinese },
  { name: 'euc-kr', decode: byDecoder('euc-kr'), worth: korean },
  { name: 'ibm866', decode: byDecoder('ibm866'), worth: cyrillic },
  { name: 'windows-1251', decode: byDecoder('windows-1251'), worth: cyrillic },
  { name: 'windows-1252', decode: byDecoder('windows-1252'), worth: latin },
  { name: 'cp437', decode: byTable(CP437), worth: latin },
]

/** The first level of GB 2312: 3,755 common characters, from 0xB0A1. */
const COMMON: ReadonlySet<string> = new Set(
  new TextDecoder('gb18030').decode(
    Buffer.from(
      Array.from({ length: 40 * 94 }, (_, index) => [0xb0 + Math.floor(index / 94), 0xa1 + (index % 94)]).flat(),
    ),
  ),
)

function score({ decode, worth }: Candidate, names: readonly Buffer[]): number {
  let total = 0
  let count = 0
  for (const name of names) {
    const text = decode(name)
    if (text === undefined) return -Infinity
    for (const [at, character] of [...text].entries()) {
      if (character > '\x7f') {
        const before = text[at - 1] ?? ''
        const after = text[at + 1] ?? ''
        // Characters of two bytes have twice the weight, so that all candidates are compared per byte.
        const weight = /[\u0080-\u05ff\u2190-\u25ff\uff61-\uff9f]/.test(character) ? 1 : 2
        total += (between(before, after) && weight === 2 ? -0.5 : worth(character, before, after)) * weight
        count += weight
      }
    }
  }
  return count === 0 ? -Infinity : total / count
}

/** The most likely character set of names that are not UTF-8. Code page 437 if none fits. */
export function guessCharset(names: readonly Buffer[]): string {
  const scores = CANDIDATES.map((candidate) => ({ name: candidate.name, score: score(candidate, names) }))
  return scores.reduce((best, other) => (other.score > best.score ? other : best), { name: 'cp437', score: -0.6 }).name
}

/** Decodes bytes in a character set that `guessCharset` returned. Invalid bytes become U+FFFD. */
export function decodeBy(charset: string, bytes: Buffer): string {
  return charset === 'cp437' ? byTable(CP437)(bytes) : new TextDecoder(charset).decode(bytes)
}
