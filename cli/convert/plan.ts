import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import type { Format } from '../../client/records.ts'
import { CommandError } from '../../kernel/admin/command.ts'
import { formatNamed, splitName } from '../formats.ts'
import type { ConvertRequest, LookUp } from './request.ts'

/** One file to convert. */
export interface Item {
  /** A path, a URL, or `-`. */
  source: string
  /** Where the result goes; `-` is standard output. Of a URL: a folder, since only the service knows its name. */
  output: string
  /** Whether `output` is a folder. */
  isFolder?: boolean
  /** Whether the result gets the dates of the source. */
  keepsDates?: boolean
  /** Why it cannot be converted. */
  fault?: Error
}

/** What to convert, and how many files of folders cannot become the target. */
export interface Plan {
  items: readonly Item[]
  skipped: number
}

export const isUrl = (source: string): boolean => /^https?:\/\//i.test(source)

/** Decides which files are converted, and where their results go. @throws CommandError for wrong use. */
export async function makePlan(request: ConvertRequest, service: LookUp): Promise<Plan> {
  const { sources, output, to, recursive } = request
  const intoFolder = output !== undefined && output !== '-' && (await isFolderName(output))
  if (output !== undefined && !intoFolder && (sources.length > 1 || recursive)) {
    const hint = output === '-' ? 'only one result fits into a pipe' : `write -o ${output}/ for a folder`
    throw new CommandError(`-o ${output}: there can be several results; ${hint}.`)
  }
  const items: Item[] = []
  let skipped = 0
  for (const source of sources) {
    const facts = source === '-' || isUrl(source) ? undefined : await stat(source).catch((error: Error) => error)
    if (facts === undefined && source !== '-') items.push(urlItem(source, output, intoFolder))
    else if (source === '-')
      items.push({ source, output: output === undefined ? '-' : inFolder(output, `stdin.${to}`) })
    else if (facts instanceof Error) items.push({ source, output: '', fault: facts })
    else if (!facts?.isDirectory()) {
      const name = await resultName(source, to, service)
      items.push({ source, output: output === undefined ? join(dirname(source), name) : inFolder(output, name) })
    } else if (!recursive) {
      const fault = new Error(`${source} is a folder; -r converts the files in it`)
      items.push({ source, output: '', fault })
    } else {
      const found = await filesIn(source, output)
      const formats = await service.formats()
      const fitting = found.filter((path) => canBecome(path, to, formats))
      skipped += found.length - fitting.length
      for (const path of fitting) {
        const name = `${splitName(basename(path), formats).stem}.${to}`
        // As `cp -r` does: the folder itself is part of the tree.
        const kept = join(basename(resolve(source)), relative(source, dirname(path)))
        const below = /^\.*$/.test(basename(source)) ? relative(source, dirname(path)) : kept
        items.push({
          source: path,
          output: output === undefined ? join(dirname(path), name) : join(output, below, name),
          keepsDates: true,
        })
      }
    }
  }
  return { items: withoutClashes(items), skipped }

  function inFolder(output: string, name: string): string {
    return intoFolder ? join(output, name) : output
  }
}

const urlItem = (source: string, output: string | undefined, intoFolder: boolean): Item =>
  output === undefined || intoFolder ? { source, output: output ?? '.', isFolder: true } : { source, output }

/** Whether a path is, or by its slash shall be, a folder. */
const isFolderName = async (path: string) =>
  path.endsWith('/') ||
  (await stat(path).then(
    (facts) => facts.isDirectory(),
    () => false,
  ))

async function resultName(source: string, to: string, service: LookUp): Promise<string> {
  const name = basename(source)
  const formats = name.split('.').length > 2 ? await service.formats() : []
  return `${splitName(name, formats).stem}.${to}`
}

/** Lists the files below a folder, without those of the folder of results. Links are not followed. */
async function filesIn(folder: string, output: string | undefined): Promise<string[]> {
  const results = output === undefined ? undefined : resolve(output)
  const isResult = (path: string) => results !== undefined && results !== resolve(folder) && isBelow(results, path)
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return files.filter((path) => !isResult(resolve(path))).sort()
}

const isBelow = (folder: string, path: string) => path.startsWith(`${folder}/`)

/** By its name. A file that has the format already is left alone. */
function canBecome(path: string, to: string, formats: readonly Format[]): boolean {
  const source = formatNamed(formats, splitName(basename(path), formats).ending)
  const target = formatNamed(formats, to)
  // An unknown target is refused by the service, in its words.
  return !target || (source !== undefined && source !== target && source.targets.includes(target.extension))
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
