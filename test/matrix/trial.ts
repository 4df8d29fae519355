import { stat } from 'node:fs/promises'
import type { Sample } from '../fixtures/sample.ts'
import { sample, samples } from '../fixtures/samples.ts'
import { convertFile, type Machine } from '../harness/machine.ts'
import { type Case, engineOf } from './cases.ts'
import { type Result, reasonOf } from './runner.ts'
import { verifierOf } from './verify.ts'

/** Converts a sample of a pair's source by one route, and verifies the result. Never rejects. */
export async function tryCase(machine: Machine, one: Case): Promise<Result> {
  const { key, pair, method } = one
  const known = { key, engine: engineOf(one) }
  const { category } = pair.plugin
  try {
    // Later routes may apply to other kinds of files only.
    const sources =
      method === pair.methods[0]
        ? [await sample(pair.from, category, pair.to)]
        : await samples(pair.from, category, pair.to)
    const failures: unknown[] = []
    for (const source of sources)
      try {
        await convert(machine, one, source)
        return { ...known, passed: true, complaints: [] }
      } catch (error) {
        failures.push(error)
      }
    throw failures.at(-1)
  } catch (error) {
    return { ...known, passed: false, complaints: [reasonOf(error)] }
  }
}

async function convert(machine: Machine, { pair, method }: Case, source: Sample): Promise<void> {
  const { size } = await stat(source.path)
  await using made = await convertFile(machine, source.path, { ...pair, methods: [method] }, {}, { name: 'picture' })
  if (made.paged && source.content === 'picture') throw new Error('a zip of pages instead of one file')
  if (pair.from === pair.to && made.size > size) throw new Error(`${made.size} bytes out of ${size}`)
  await machine.expect(made, pair.to)
  await verifierOf(pair.plugin.category)(made.path, pair.to, source)
}
