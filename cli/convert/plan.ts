import { stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { CommandError } from '../../kernel/admin/command.ts'
import { splitName } from '../formats.ts'
import type { ConvertRequest, LookUp } from './request.ts'
import { type Item, type Plan, planTree } from './tree.ts'

export const isUrl = (source: string): boolean => /^https?:\/\//i.test(source)

/** Decides which files are converted, and where their results go. @throws CommandError for wrong use. */
export async function makePlan(request: ConvertRequest, service: LookUp): Promise<Plan> {
  const { sources, output, to, recursive } = request
  const intoFolder = output !== undefined && output !== '-' && (await isFolderName(output))
  if (output !== undefined && !intoFolder && (sources.length > 1 || recursive)) {
    const hint = output === '-' ? 'only one result fits into a pipe' : `write -o ${output}/ for a folder`
    throw new CommandError(`-o ${output}: there can be several results; ${hint}.`)
  }
  /** Where a result goes that has no other place. */
  const place = (name: string, otherwise: string) =>
    output === undefined ? otherwise : intoFolder ? join(output, name) : output

  async function planFor(source: string): Promise<Plan> {
    if (source === '-') return only({ source, output: place(`stdin.${to}`, '-') })
    if (isUrl(source)) return only({ source, output: place('', '.'), isFolder: output === undefined || intoFolder })
    const facts = await stat(source).catch((error: Error) => error)
    if (facts instanceof Error) return only({ source, output: '', fault: facts })
    if (facts.isDirectory() && recursive) return planTree(source, request, await service.formats())
    const folder = new Error(`${source} is a folder; -r converts the files in it`)
    if (facts.isDirectory()) return only({ source, output: '', fault: folder })
    const name = await resultName(source, to, service)
    return only({ source, output: place(name, join(dirname(source), name)) })
  }

  const plans: Plan[] = []
  for (const source of sources) plans.push(await planFor(source))
  return {
    items: withoutClashes(plans.flatMap(({ items }) => items)),
    skipped: plans.reduce((sum, { skipped }) => sum + skipped, 0),
  }
}

const only = (item: Item): Plan => ({ items: [item], skipped: 0 })

/** Whether a path is, or by its slash shall be, a folder. */
const isFolderName = async (path: string) =>
  path.endsWith('/') ||
  (await stat(path).then(
    (facts) => facts.isDirectory(),
    () => false,
  ))

async function resultName(source: string, to: string, service: LookUp): Promise<string> {
  const name = basename(source)
  // With one dot, no list of formats is needed.
  const formats = name.split('.').length > 2 ? await service.formats() : []
  return `${splitName(name, formats).stem}.${to}`
}

/** As `cp` does: the second of two files with the same result is not converted. */
function withoutClashes(items: readonly Item[]): Item[] {
  const taken = new Map<string, string>()
  return items.map((item) => {
    if (item.fault || item.isFolder || item.output === '-') return item
    const place = resolve(item.output)
    const first = taken.get(place)
    taken.set(place, first ?? item.source)
    if (first === undefined) return item
    return { ...item, fault: new Error(`${item.source}: ${item.output} is the result of ${first}`) }
  })
}
