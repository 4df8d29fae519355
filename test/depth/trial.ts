import { stat } from 'node:fs/promises'
import { ConversionFailure } from '../../kernel/errors.ts'
import type { Machine } from '../harness/machine.ts'
import { engineOf } from '../matrix/cases.ts'
import { type Result, reasonOf } from '../matrix/runner.ts'
import type { Case } from './cases.ts'
import type { Feature, Refused, Subject } from './family.ts'
import { subjectOf } from './specimen.ts'

/** Time limit of one conversion in milliseconds. */
const LIMIT = 90_000

/** How one case ended. */
export interface Outcome extends Result {
  family: string
  from: string
  /** Milliseconds of the conversion itself. */
  milliseconds: number
  /** Names of the features that were compared. */
  kept: readonly string[]
  /** Names of the features that the source has and the target drops on purpose. */
  dropped: readonly string[]
}

/** Converts a specimen, and compares every feature of its family, or how it is refused. Never rejects. */
export async function tryCase(machine: Machine, one: Case): Promise<Outcome> {
  const { key, family, specimen, pair } = one
  const outcome = {
    key,
    family: family.name,
    from: specimen.from,
    milliseconds: 0,
    engine: engineOf({ key, pair, method: pair.methods[0]! }),
    kept: [] as string[],
    dropped: [] as string[],
    complaints: [] as string[],
  }
  try {
    const source = await subjectOf(family, specimen)
    const started = Date.now()
    if (specimen.refused) {
      const said = await unlike(specimen.refused, pair.to, convert(machine, one, source))
      const complaints = said ? [said] : []
      return { ...outcome, complaints, kept: ['refusal'], milliseconds: Date.now() - started, passed: !said }
    }
    await using made = await convert(machine, one, source)
    outcome.milliseconds = Date.now() - started
    const format = made.paged ? 'zip' : pair.to
    if (!(await machine.verify(made.path, format)))
      throw new Error(`the result is detected as ${await machine.detect(made.path, format)}`)
    const result: Subject = { path: made.path, format: pair.to, paged: made.paged, converted: true, specimen }
    for (const feature of family.features) {
      const { rule, said } = await compare(feature, source, result)
      if (said) outcome.complaints.push(`${feature.name}: ${said}`)
      if (rule) outcome[rule].push(feature.name)
    }
  } catch (error) {
    outcome.complaints.push(reasonOf(error))
  }
  return { ...outcome, passed: outcome.complaints.length === 0 }
}

/** Says how a conversion ends, if it does not fail as it must. */
async function unlike(
  { code, message, others }: Refused,
  to: string,
  conversion: Promise<AsyncDisposable>,
): Promise<string | undefined> {
  const wanted = `${code}: ${others?.[to] ?? message}`
  try {
    await using _ = await conversion
    return `converted instead of refused: ${wanted}`
  } catch (error) {
    const got = error instanceof ConversionFailure ? `${error.code}: ${error.message}` : reasonOf(error)
    return got === wanted ? undefined : `${reasonOf(error)} instead of ${wanted}`
  }
}

async function convert({ converter, options }: Machine, { specimen, pair }: Case, { path }: Subject) {
  return converter.convert({
    owner: 'user_depth',
    source: path,
    pair,
    intent: 'convert',
    report: () => {},
    options: options.complete(pair.plugin, pair.to, 'convert', {}),
    name: specimen.name.replace(/\..*/, ''),
    size: (await stat(path)).size,
    signal: AbortSignal.timeout(LIMIT),
  })
}

/** Compares one feature. The rule is undefined if it does not apply to the pair, or the source has none of it. */
async function compare(feature: Feature, source: Subject, result: Subject) {
  const { name, rule, read, differs } = feature
  const { features, truth = {} } = source.specimen
  const decided = rule(source.format, result.format)
  if (!decided) return {}
  try {
    const told = truth[name]
    const wanted = typeof told === 'function' ? await told() : (told ?? (await readSource(feature, source)))
    if (wanted === undefined) return features.includes(name) ? { said: 'the specimen has none' } : {}
    if (decided === 'dropped') return { rule: decided }
    return { rule: decided, said: await differs(wanted, await read(result), result, source) }
  } catch (error) {
    return { rule: decided, said: reasonOf(error) }
  }
}

/**
 * Undefined if it cannot be read: specimens declare what must be, and readers do not know every variant of a format.
 */
async function readSource({ name, read }: Feature, source: Subject) {
  try {
    return await read(source)
  } catch (error) {
    if (!source.specimen.features.includes(name)) return undefined
    throw error
  }
}
