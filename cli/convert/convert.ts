import type { Athanor, Progress } from '../../client/athanor.ts'
import { type AdminCommand, CommandError } from '../../kernel/admin/command.ts'
import { printError } from '../../kernel/terminal.ts'
import { EXIT, exitOf, stopsAll } from '../exit.ts'
import { knownFormat } from '../formats.ts'
import { lookUp } from '../look-up.ts'
import { withService } from '../service.ts'
import { convertItem } from './item.ts'
import { makePlan } from './plan.ts'
import { createReport, jsonReport } from './report.ts'
import { type ConvertRequest, type LookUp, readRequest } from './request.ts'
import type { Plan } from './tree.ts'

/** Conversions at the same time. */
const CONCURRENCY = 4

/** `athanor convert`, or `athanor` with files. */
export const convert: AdminCommand = {
  summary: 'Converts files. The word convert can be left out.',
  usage: [
    'Usage: athanor <source> <result>',
    '       athanor <source>... --to <format> [-o <folder>]',
    '       athanor <source> -o <result>',
    '',
    'A source is a file, an address (https://...), or - for standard input. -o - writes to standard output.',
    '',
    '  --to <format>      format of the results; else the name of the result says it',
    '  --from <format>    format of the source, if its content cannot say it',
    '  -o, --output       file or folder of the results; else beside the sources',
    '  -r, --recursive    converts what is in folders; keeps their tree, and the dates of the files',
    '  -y, --yes          overwrites',
    '  --json             a line of JSON for each file',
    '',
    'Options of the format are flags: --quality 80. athanor options <format> lists them.',
    '',
    'ATHANOR_URL and ATHANOR_API_KEY name a service and its key. Without a URL, a service is started for this command.',
    '',
    'Exit codes: 0 all done, 1 some failed, 2 wrong use, 3 service not reachable, 4 refused (quota, plan, credential),',
    '130 interrupted; then its conversions are cancelled.',
  ].join('\n'),
  run: (args) => {
    if (args.length === 0) throw new CommandError('Name a file to convert. athanor convert --help shows how.')
    return withService(async ({ athanor, url, signal }) => {
      const service = lookUp(athanor, url, signal)
      const request = await readRequest(args, service)
      const plan = await makePlan(request, service)
      return run(request, plan, { athanor, service, signal })
    })
  },
}

interface Tools {
  athanor: Athanor
  service: LookUp
  signal: AbortSignal
}

async function run(request: ConvertRequest, { items, skipped }: Plan, tools: Tools): Promise<number> {
  const { athanor, service, signal } = tools
  const report = request.json ? jsonReport : createReport(items.length)
  const codes: number[] = []
  let stopped = false
  const queue = items.values()
  const work = async () => {
    for (const item of queue) {
      try {
        const { progress } = report
        const onProgress = progress && ((now: Progress) => progress(item, now))
        const call = { signal, ...(onProgress && { onProgress }) }
        const { result, output } = await convertItem(athanor, item, request, call)
        report.done(item, output, result.conversion)
      } catch (thrown) {
        if (signal.aborted) throw signal.reason
        const error = await inOurWords(thrown, request.to, service)
        report.failed(item, error)
        codes.push(exitOf(error))
        stopped ||= stopsAll(error)
      }
      if (stopped) return
    }
  }
  try {
    const ends = await Promise.allSettled(Array.from({ length: CONCURRENCY }, work))
    signal.throwIfAborted()
    for (const end of ends) if (end.status === 'rejected') throw end.reason
  } finally {
    report.end()
  }
  const left = [...queue].length
  if (left > 0) printError(`athanor: ${left} more files were not tried.`)
  if (skipped > 0) printError(`athanor: ${skipped} files cannot become ${request.to}, and were left out.`)
  return Math.max(EXIT.done, ...codes)
}

/** A target that the service does not know at all is wrong use. */
async function inOurWords(error: unknown, to: string, service: LookUp): Promise<unknown> {
  if ((error as { code?: string }).code !== 'UNSUPPORTED_FORMAT') return error
  try {
    knownFormat(await service.formats(), to, '--to')
    return error
  } catch (unknown) {
    return unknown
  }
}
