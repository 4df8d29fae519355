import { ConversionFailure } from '../../kernel/errors.ts'
import { convertFile, type Machine } from '../harness/machine.ts'
import { engineOf } from '../matrix/cases.ts'
import { type Result, reasonOf } from '../matrix/runner.ts'
import type { Case } from './cases.ts'
import type { Feature, Refused, Subject } from './family.ts'
import { subjectOf } from './specimen.ts'

/** Converts a specimen, and compares every feature of its family, or how it is refused. Never rejects. */
export async function tryCase(machine: Machine, one: Case): Promise<Result> {
  const { key, family, specimen, pair } = one
  const complaints: string[] = []
  try {
    const source = await subjectOf(family, specimen)
    const name = specimen.name.replace(/\..*/, '')
    const conversion = convertFile(machine, source.path, pair, {}, { name })
    if (specimen.refused) complaints.push(...(await unlike(specimen.refused, pair.to, conversion)))
    else {
      await using made = await conversion
      await machine.expect(made, pair.to)
      const result: Subject = { path: made.path, format: pair.to, paged: made.paged, converted: true, specimen }
      for (const feature of family.features) {
        const said = await compare(feature, source, result)
        if (said) complaints.push(`${feature.name}: ${said}`)
      }
    }
  } catch (error) {
    complaints.push(reasonOf(error))
  }
  const engine = engineOf({ key, pair, method: pair.methods[0]! })
  return { key, engine, passed: complaints.length === 0, complaints }
}

/** Says how a conversion ends, if it does not fail as it must. */
async function unlike(
  { code, message, others }: Refused,
  to: string,
  conversion: Promise<AsyncDisposable>,
): Promise<string[]> {
  const wanted = `${code}: ${others?.[to] ?? message}`
  try {
    await using _ = await conversion
    return [`converted instead of refused: ${wanted}`]
  } catch (error) {
    const got = error instanceof ConversionFailure ? `${error.code}: ${error.message}` : reasonOf(error)
    return got === wanted ? [] : [`${reasonOf(error)} instead of ${wanted}`]
  }
}

/** Says how one feature differs; undefined also if it does not apply to the pair, or the source has none of it. */
async function compare(feature: Feature, source: Subject, result: Subject): Promise<string | undefined> {
  const { name, rule, read, differs } = feature
  const { features, truth = {} } = source.specimen
  const decided = rule(source.format, result.format)
  if (!decided) return undefined
  try {
    const told = truth[name]
    const wanted = typeof told === 'function' ? await told() : (told ?? (await readSource(feature, source)))
    if (wanted === undefined) return features.includes(name) ? 'the specimen has none' : undefined
    return decided === 'kept' ? await differs(wanted, await read(result), result, source) : undefined
  } catch (error) {
    return reasonOf(error)
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
