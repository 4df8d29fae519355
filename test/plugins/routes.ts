/** What the routes of a plugin run, without running it. */
import type { Test } from 'tap'
import { type DirectRoute, isDirect, stepsOf } from '../../kernel/catalogue/manifest/route.ts'
import { createOptionsValidator } from '../../kernel/catalogue/options.ts'
import type { Plugin } from '../../kernel/contract.ts'
import { type Answer, commandLines, routeLines } from '../harness/command-lines.ts'

/** Returns the routes of a pair, such as `mp3>ogg`, the preferred first; `mp3>mp3` optimises. */
export function routesOf({ routes }: Plugin<any>, pair: string): DirectRoute[] {
  const [from = '', to = ''] = pair.split('>')
  const serves = (one: { from?: readonly string[]; to?: readonly string[]; transform?: readonly string[] }) =>
    from === to ? one.transform?.includes(to) : one.from?.includes(from) && one.to?.includes(to)
  return routes.filter(isDirect).filter((route) => serves(route))
}

/**
 * Returns the command lines of a pair's first route. See `commandLines`.
 *
 * @param options Completed by the plugin's defaults.
 */
export function linesOf(
  plugin: Plugin<any>,
  pair: string,
  options: Readonly<Record<string, unknown>> = {},
  answers: Readonly<Record<string, Answer | readonly Answer[]>> = {},
  light = false,
): Promise<string[]> {
  const [from = '', to = ''] = pair.split('>')
  const [route] = routesOf(plugin, pair)
  if (!route) throw new Error(`no route for ${pair}`)
  const complete = createOptionsValidator([plugin]).complete(plugin, to, from === to ? 'transform' : 'convert', options)
  return commandLines(stepsOf(route), { from, to, options: complete }, answers, light)
}

/** What ffprobe prints of a file with these streams, in their order. */
export const probed = (format: object, ...streams: object[]) =>
  JSON.stringify({ format, streams: streams.map((stream, index) => ({ index, ...stream })) })

/**
 * Compares what is run with a table: a pair, its options if there are any, and the part of all commands that `part`
 * captures.
 *
 * @param short Texts of the commands that the table shortens, by their short forms.
 */
export async function agree(
  t: Pick<Test, 'strictSame'>,
  run: (pair: string, options: object) => Promise<string[]>,
  table: string,
  part: RegExp,
  short: Readonly<Record<string, string>> = {},
): Promise<void> {
  const rows = table.trim().split('\n')
  const found = rows.map(async (row) => {
    const [, pair = '', options = ''] = /^(\S+)( \{.*?\})?: /.exec(row) ?? []
    const lines = (await run(pair, JSON.parse(options || '{}'))).join(' ; ')
    const text = Object.entries(short).reduce((all, [name, long]) => all.replaceAll(long, name), lines)
    return `${pair}${options}: ${part.exec(text)?.[1]}`
  })
  t.strictSame(await Promise.all(found), rows)
}

/** Compares all routes of pairs with a table: a pair and its commands in each line, the preferred route first. */
export async function agreeOnRoutes(
  t: Pick<Test, 'strictSame'>,
  plugin: Plugin<any>,
  table: string,
  options: object,
  answers: Parameters<typeof routeLines>[3],
): Promise<void> {
  const rows = table.trim().split('\n')
  const pairs = new Set(rows.map((row) => row.slice(0, row.indexOf(':'))))
  const found = [...pairs].map(async (pair) => {
    const lines = await routeLines(plugin, pair, { ...options }, answers)
    return lines.map((line) => `${pair}: ${line}`)
  })
  t.strictSame((await Promise.all(found)).flat(), rows)
}

/** A task for LibreOffice in words: its application, filters, settings and flags. */
export function officeTask(line: string): string {
  const { load, store, service, title, metafiles, ...flags } = JSON.parse(line.slice('libreoffice '.length))
  if (metafiles) return 'libreoffice metafiles'
  const filters = [load.FilterName, store.FilterName, store.FilterOptions, JSON.stringify(store.FilterData)]
  const on = Object.keys(flags).filter((flag) => flags[flag])
  const application = /\.(\w+)Document$/.exec(service)?.[1]
  return ['libreoffice', application, ...filters, ...on, title && `title=${title}`].filter(Boolean).join(' ')
}
