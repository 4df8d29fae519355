import type { Look, Recogniser, Refusal, Signature, Source, Text, Verdict } from '../contract/format.ts'
import { createHints, type Described } from './hint.ts'
import { boundSource, type Peek } from './source.ts'
import { readAsText, readOddText } from './text.ts'

/** A canonical extension, or a phrase that tells the client why files of a known kind are refused. */
export type Detected = { extension: string } | Refusal

/** Detects the format of a file by its content and its name. */
type Detect = (file: Peek, name: string) => Promise<Detected | undefined>

interface DetectionSettings {
  /** All formats, to read file names as hints. */
  formats: readonly Described[]
  /** Formats of external plugins. Their signatures, marks and sniffers come before all steps. */
  foreign?: readonly Described[]
  /** Steps that distinguish the built-in formats, in the order in which they run. */
  steps: readonly Recogniser[]
}

type When = Recogniser['when']

/**
 * Makes the function that detects a file's format: by what external plugins declare about their formats, by the steps,
 * and by the name if it means plain text. Its cost is limited, whatever the file claims about itself. It resolves to
 * undefined if it detects no format, and rejects only if it cannot read the head.
 */
export function createDetect({ formats, foreign = [], steps }: DetectionSettings): Detect {
  const hintOf = createHints(formats)
  const textual = new Map(formats.flatMap(({ extension, text }) => (text ? [[extension, text]] : [])))
  const compiled = steps.map((step) => ({ ...step, look: lookOf(step) }))
  const stepsFor = (...when: When[]) => compiled.filter((step) => when.includes(step.when))
  const isPlain = (hint: string) => textual.get(hint) === 'plain'
  const believed: Look = (_, hint) => (isPlain(hint) ? hint : undefined)
  const outside = foreign.map((format) => ({ look: foreignLook(format) }))
  const bytes = [...outside, ...stepsFor('any', 'bytes')]
  const leading = [...outside, ...stepsFor('any')]
  const textSteps = [...stepsFor('text'), { look: believed }, ...stepsFor('unnamed')]
  // A text of only white space has the format that its name says.
  const wordsOrNone = (text: Text) => (text.body === '' ? [{ look: believed }] : textSteps)

  async function judge(file: Source, hint: string): Promise<Verdict | undefined> {
    const text = await readAsText(file)
    if (text) {
      const seen = { ...file, text }
      return (await firstVerdict(leading, seen, hint)) ?? firstVerdict(wordsOrNone(text), seen, hint)
    }
    const verdict = await firstVerdict(bytes, file, hint)
    if (verdict) return verdict
    const odd = await readOddText(file, textual.has(hint))
    return odd && firstVerdict(wordsOrNone(odd), { ...file, text: odd }, hint)
  }

  return async (peek, name) => {
    if (peek.size === 0) return undefined
    const hint = hintOf(name)
    const verdict = await judge(await boundSource(peek), hint)
    return typeof verdict === 'string' ? { extension: verdict } : verdict
  }
}

interface Step {
  look: Look
  starts?: (head: Buffer) => boolean
}

/** Runs the steps in order. A look that throws, for example because it reads past its bytes, has found nothing. */
async function firstVerdict(steps: readonly Step[], file: Source, hint: string): Promise<Verdict | undefined> {
  for (const { look, starts } of steps) {
    try {
      if (starts && !starts(file.head)) continue
      const answer = look(file, hint)
      const verdict = answer instanceof Promise ? await answer : answer
      if (verdict) return verdict
    } catch {}
  }
  return undefined
}

function lookOf(step: Recogniser): Look {
  if ('signatures' in step) return bySignatures(step.signatures)
  if ('marks' in step) return byMarks(step.marks)
  return step.look
}

/** Makes a look from what an external format declares. Its verdict can only be that format. */
function foreignLook({ extension, signatures = [], marks = [], sniff }: Described): Look {
  const signed = bySignatures(signatures.map((signature) => [signature, extension]))
  const marked = byMarks(marks.map((mark) => [mark, extension]))
  return (file) => signed(file) ?? marked(file) ?? (sniff?.(file.head) ? extension : undefined)
}

/** A synchronous look, which needs only the head. */
type Glance = (file: Source) => Verdict | undefined

type Table = readonly (readonly [Signature, Verdict])[]

/** Makes a look from signatures. The first match in the table wins. */
function bySignatures(table: Table): Glance {
  const rows = table.map(([signature, verdict]) => ({ test: testOf(signature), verdict }))
  return ({ head }) => {
    const start = head.toString('latin1', 0, 64)
    return rows.find(({ test }) => test(start, head))?.verdict
  }
}

function testOf(signature: Signature): (start: string, head: Buffer) => boolean {
  if (signature instanceof RegExp) return (start) => signature.test(start)
  const { bytes, at } = typeof signature === 'string' ? { bytes: signature, at: 0 } : signature
  if (at + bytes.length <= 64) return (start) => start.startsWith(bytes, at)
  return (_, head) => head.toString('latin1', at, at + bytes.length) === bytes
}

/** Makes a look from patterns for the beginning of a text. The first match in the table wins. */
const byMarks =
  (table: readonly (readonly [RegExp, Verdict])[]): Glance =>
  ({ text }) =>
    text && table.find(([mark]) => mark.test(text.body))?.[1]
