import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { parseArgs } from 'node:util'
import type { Athanor } from '../client/athanor.ts'
import { AthanorError, ConversionError } from '../client/error.ts'
import { type AdminCommand, CommandError, oneOf } from '../kernel/admin/command.ts'
import { escapeLine, printError, printLine } from '../kernel/terminal.ts'
import { type Convert, Unconvertible } from '../kernel/watch/convert.ts'
import { type Reports, watchFolder } from '../kernel/watch/watched-folder.ts'
import { startItem } from './convert/item.ts'
import { type ConvertRequest, readRequest } from './convert/request.ts'
import { EXIT, messageOf } from './exit.ts'
import { lookUp } from './look-up.ts'
import { withService } from './service.ts'

/** Conversions at the same time. */
const CONCURRENCY = 4

/** `athanor watch`. */
export const watch: AdminCommand = {
  summary: 'Converts what arrives in a folder, until it is interrupted.',
  usage: [
    'Usage: athanor watch <folder> --to <format> -o <folder> [--after archive|delete|keep] [options]',
    '',
    'A file is taken once it has not changed for five seconds. Results keep the dates of their sources, and overwrite',
    'nothing. Sources then move to archive/ in the watched folder, are deleted, or stay until they change. What cannot be',
    'converted moves to failed/, beside a text that says why. What is interrupted goes on at the next start.',
    '',
    'Options of the format are flags: --quality 80. athanor options <format> lists them.',
  ].join('\n'),
  async run(args) {
    const { after, rest } = readAfter(args)
    return withService(async ({ athanor, url, signal }) => {
      const request = await readRequest(rest, lookUp(athanor, url, signal))
      const [from, ...more] = request.sources
      if (from === undefined || more.length > 0 || request.output === undefined) {
        throw new CommandError(
          'Name one folder to watch, and one for the results: athanor watch scans --to pdf -o documents',
        )
      }
      const into = resolve(request.output)
      if (into === resolve(from)) throw new CommandError('-o: results would be converted again; name another folder.')
      const reports: Reports = {
        ended: (name, outcome) =>
          'result' in outcome
            ? printLine(`${name} -> ${outcome.result}`)
            : printError(escapeLine(`athanor: ${name}: ${outcome.failure}`)),
        postponed: (name, error) =>
          printError(escapeLine(`athanor: ${name}: ${messageOf(error)}; it is tried again later`)),
        away: (error) => printError(`athanor: ${from}: ${messageOf(error)}; waiting for it`),
        back: () => printError(`athanor: ${from} is back`),
      }
      const folder = { from: resolve(from), into, after, concurrency: CONCURRENCY }
      await watchFolder(folder, converter(athanor, request), reports, signal)
      signal.throwIfAborted()
      return EXIT.done
    })
  },
}

/** Reads `--after`, which conversions of single files do not have. */
function readAfter(args: string[]) {
  const options = { after: { type: 'string' } } as const
  const { values, tokens } = parseArgs({ args, options, strict: false, tokens: true })
  const rest = [...args]
  for (const token of tokens.toReversed()) {
    if (token.kind === 'option' && token.name === 'after') rest.splice(token.index, token.inlineValue ? 1 : 2)
  }
  const given = typeof values.after === 'string' ? values.after : 'archive'
  return { after: oneOf('--after', given, ['archive', 'delete', 'keep'] as const), rest }
}

function converter(athanor: Athanor, request: ConvertRequest): Convert {
  /** Resolves to the result of a conversion that an earlier process has started; undefined if there is none. */
  const known = (id: string, signal: AbortSignal) => athanor.job(id).done({ signal }).catch(ifMissing)

  return async ({ path, name }, earlier, note, signal) => {
    try {
      let result = earlier === undefined ? undefined : await known(earlier, signal)
      if (!result) {
        const job = await startItem(athanor, await athanor.upload(path, { signal, fileName: name }), request, signal)
        await note(job.id)
        result = await job.done({ signal })
      }
      const { name: wanted, conversion } = result
      const open = async () => Readable.fromWeb((await result.stream()) as ReadableStream)
      return { name: wanted, open, release: () => athanor.client.remove(conversion.id) }
    } catch (error) {
      throw isFinal(error) ? new Unconvertible(messageOf(error)) : error
    }
  }
}

/** Refusals that pass: a missing credential, a slow body, a limit. */
const PASSING: readonly number[] = [401, 408, 429]

/** Whether the file will meet the same error again. */
function isFinal(error: unknown): boolean {
  if (error instanceof ConversionError) return true
  return error instanceof AthanorError && error.status >= 400 && error.status < 500 && !PASSING.includes(error.status)
}

function ifMissing(error: unknown): undefined {
  if (error instanceof AthanorError && error.status === 404) return undefined
  throw error
}
