import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import type { Conversion, Format } from '../records.ts'
import { Result } from '../result.ts'
import { answer, ToolError } from './answers.ts'
import { formats } from './format-look-up.ts'
import type { Service } from './service.ts'
import { type ToolArguments, type ToolName, WAIT } from './tools.ts'

/** One call: what is known of it for the hint if it fails, and when to stop. */
export interface ToolCall {
  /** Of the source, once it is there. */
  fileId?: string
  signal: AbortSignal
}

type Run = (service: Service, args: ToolArguments, call: ToolCall) => Promise<CallToolResult>

/** What each tool does. */
export const RUN: Readonly<Record<ToolName, Run>> = { convert, formats, status, result, upload }

async function convert(service: Service, args: ToolArguments, call: ToolCall): Promise<CallToolResult> {
  const { toFormat = '', options, saveAs, fileName } = args
  if (saveAs) await service.local?.check(saveAs)
  const source = await open(service, args, call)
  call.fileId = source.fileId
  const request = { fileId: source.fileId, toFormat, ...(options && { options }), ...(fileName && { fileName }) }
  const id = await service.start(request)
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
