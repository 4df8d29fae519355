import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import type { Conversion, Format, Options, StartRequest } from '../records.ts'
import { Result } from '../result.ts'
import type { Service } from './service.ts'
import { type ToolName, WAIT } from './tools.ts'

/** Arguments that fit the schema of their tool. */
export interface ToolArguments {
  path?: string
  fileId?: string
  url?: string
  toFormat?: string
  options?: Options
  fileName?: string
  saveAs?: string
  from?: string
  to?: string
  conversionId?: string
}

/** A refusal by the tools themselves, in the form of the service's. */
export class ToolError extends Error {
  override name = 'ToolError'
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** One call: what is known of it for the hint if it fails, and when to stop. */
export interface ToolCall {
  /** Of the source, once it is there. */
  fileId?: string
  signal: AbortSignal
}

type Run = (service: Service, args: ToolArguments, call: ToolCall) => Promise<CallToolResult>

/** Answers with facts as JSON, and a link to the result if there is one. */
const answer = (facts: object, ...links: CallToolResult['content']): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(facts) }, ...links],
})

/** What each tool does. */
export const RUN: Readonly<Record<ToolName, Run>> = { convert, formats, status, result, upload }

async function convert(service: Service, args: ToolArguments, call: ToolCall): Promise<CallToolResult> {
  const { toFormat = '', options, saveAs, fileName } = args
  if (saveAs) await service.local?.check(saveAs)
  const source = await open(service, args, call)
  call.fileId = source.fileId
  const request = { fileId: source.fileId, toFormat, ...(options && { options }), ...(fileName && { fileName }) }
  const id = await start(service, request)
  const conversion = await follow(service, id, call.signal)
  return describe(service, conversion, { ...source, saveAs }, call.signal)
}

interface OpenFile {
  fileId: string
  /** On this computer. */
  path?: string
}

/** Finds, fetches or uploads the source. */
async function open(
  service: Service,
  { path, fileId, url, fileName }: ToolArguments,
  { signal }: ToolCall,
): Promise<OpenFile> {
  const [given, ...more] = [path, fileId, url].filter((each) => each !== undefined)
  if (given === undefined || more.length > 0) {
    const names = service.local ? 'path or url' : 'fileId or url'
    throw new ToolError('BAD_REQUEST', `Give exactly one of ${names}`)
  }
  if (url !== undefined) {
    const { file } = await service.importUrl({ url, ...(fileName && { fileName }) })
    return { fileId: file.fileId }
  }
  return service.local ? service.local.read(given, fileName, signal) : { fileId: given }
}

/** Who asks for the format of the source wants a smaller file. */
async function start(service: Service, request: StartRequest): Promise<string> {
  try {
    return await service.start(request)
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'SAME_FORMAT_NOOP') throw error
    return service.start({ ...request, jobIntent: 'transform' })
  }
}

/** Waits for the end, but not for long. Who gives up wants no result any more. */
async function follow(service: Service, id: string, signal: AbortSignal): Promise<Conversion> {
  try {
    return await service.conversion(id, WAIT, signal)
  } catch (error) {
    if (signal.aborted) await service.remove(id).catch(() => {})
    throw error
  }
}

async function status(
  service: Service,
  { conversionId = '' }: ToolArguments,
  { signal }: ToolCall,
): Promise<CallToolResult> {
  const conversion = await service.conversion(conversionId, WAIT, signal)
  if (conversion.status === 'completed' && service.local) {
    return answer({ ...factsOf(conversion), next: 'call result to save it' })
  }
  return describe(service, conversion, {}, signal)
}

async function result(
  service: Service,
  { conversionId = '', saveAs }: ToolArguments,
  { signal }: ToolCall,
): Promise<CallToolResult> {
  const conversion = await service.conversion(conversionId, 0, signal)
  if (conversion.status === 'queued' || conversion.status === 'processing') {
    throw new ToolError('NOT_COMPLETED', `The conversion is ${conversion.status}`)
  }
  return describe(service, conversion, { saveAs }, signal)
}

const factsOf = ({ id, status, progress, queuePosition }: Conversion) => ({
  conversionId: id,
  status,
  progress,
  ...(queuePosition !== undefined && { queuePosition }),
})

/** Tells what has become of a conversion, and what comes next. @throws ToolError if it failed. */
async function describe(
  service: Service,
  conversion: Conversion,
  { fileId, path, saveAs }: { fileId?: string | undefined; path?: string; saveAs?: string | undefined },
  signal: AbortSignal,
): Promise<CallToolResult> {
  if (conversion.error) throw new ToolError(conversion.error.code, conversion.error.message)
  if (conversion.status !== 'completed')
    return answer({ ...factsOf(conversion), next: 'call status with this conversionId' })
  const { name, size } = new Result(conversion, { url: '' })
  const uri = service.local ? await service.local.save(conversion, saveAs, path, signal) : (conversion.outputUrl ?? '')
  const known = fileId !== undefined && !service.local ? { fileId } : {}
  const mimeType = mimeOf(name, await service.formats())
  return answer(
    { ...factsOf(conversion), fileName: name, bytes: size, ...known },
    { type: 'resource_link', uri, name, size, ...(mimeType && { mimeType }) },
  )
}

/** The format with the longest name counts: a file of `tar.gz` ends in `gz`, too. */
function mimeOf(name: string, formats: readonly Format[]): string | undefined {
  const fitting = formats.filter(({ extension }) => name.endsWith(`.${extension}`))
  return fitting.sort((one, other) => other.extension.length - one.extension.length)[0]?.mimeType
}

async function upload(service: Service, { fileName = '' }: ToolArguments): Promise<CallToolResult> {
  if (!service.handle) throw new ToolError('UNKNOWN_TOOL', 'Files need no upload here')
  const { uploadUrl, fileId, expiresIn } = await service.handle(fileName)
  const next = `PUT the bytes to uploadUrl within ${expiresIn} seconds, then call convert with this fileId`
  return answer({ fileId, uploadUrl, next })
}

async function formats(service: Service, { from, to }: ToolArguments): Promise<CallToolResult> {
  const all = await service.formats()
  if (from === undefined) return answer({ ...overview(all, to), next: 'call convert, or formats with from' })
  const source = named(all, from)
  if (!source?.targets.length) throw new ToolError('UNSUPPORTED_FORMAT', `from: ${from} cannot be converted here`)
  const { extension, targets } = source
  if (to === undefined) return answer({ from: extension, targets, next: 'call convert, or formats with from and to' })
  const target = named(all, to)?.extension ?? to
  const tool = targets.includes(target) ? await service.tool(extension, target) : undefined
  if (!tool)
    throw new ToolError(
      'UNSUPPORTED_FORMAT',
      `${extension} cannot become ${to}; it can become ${targets.slice(0, 12).join(', ')}`,
    )
  return answer({ from: extension, to: target, options: optionsOf(tool.options), next: 'call convert' })
}

const named = (all: readonly Format[], name: string): Format | undefined => {
  const wanted = name.toLowerCase().replace(/^\./, '')
  return all.find(({ extension, aliases }) => extension === wanted || aliases.includes(wanted))
}

/** The formats by category: those that can be written, and those that can only be read; or what can become `to`. */
function overview(all: readonly Format[], to: string | undefined): object {
  const names = (some: readonly Format[]) =>
    Object.fromEntries(
      [...Map.groupBy(some, ({ category }) => category)].map(([category, each]) => [
        category,
        each.map(({ extension }) => extension).join(' '),
      ]),
    )
  if (to === undefined) {
    return {
      targets: names(all.filter(({ writable }) => writable)),
      onlySources: names(all.filter(({ writable }) => !writable)),
    }
  }
  const target = named(all, to)?.extension
  const sources = all.filter(({ targets }) => target !== undefined && targets.includes(target))
  if (sources.length === 0) throw new ToolError('UNSUPPORTED_FORMAT', `to: ${to} cannot be made here`)
  return { to: target, sources: names(sources) }
}

/** The options that have an effect, in the words of their schema. */
const optionsOf = ({ properties }: { properties?: object }) =>
  Object.fromEntries(
    Object.entries((properties ?? {}) as Record<string, Record<string, unknown>>)
      .filter(([, schema]) => schema['x-effect'] !== false)
      .map(([name, { title: _, 'x-effect': __, ...schema }]) => [name, schema]),
  )
