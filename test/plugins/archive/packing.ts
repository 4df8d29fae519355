import type { Test } from 'tap'
import type { Spec } from '../../../engines/programs/archive/spec.ts'
import { bare } from '../bare.ts'

/** What a test replaces of the plugin's rules. */
interface Manner {
  limits?: Partial<Spec['rules']['limits']>
}

/** Matches a message without file names and program output. */
export const human = /^(?!.*[/\\])(?!.*(bsdtar|7zz|undefined|Error:))[A-Z].{10,}$/

/** Packs archives by the plugin's routes and its own program, which starts the real ones. */
export async function packing(t: Test) {
  let limits: Manner['limits']
  const own = await bare(t, ['archive'], (_, args) => {
    const spec = JSON.parse(args.at(-1)!) as Spec
    Object.assign(spec.rules.limits, limits)
    return [...args.slice(0, -1), JSON.stringify(spec)]
  })
  type Job = [source: Buffer | string, pair: string, options?: object, manner?: Manner]
  return {
    async convert(...[source, pair, options, manner = {}]: Job): Promise<Buffer> {
      limits = manner.limits
      return (await own.convert(source, pair, options)).bytes
    },
    failure(...[source, pair, options, manner = {}]: Job) {
      limits = manner.limits
      return own.failure(source, pair, options)
    },
  }
}
