import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, rm, stat, utimes } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Athanor, Job, Progress, Result, Upload } from '../../client/athanor.ts'
import { startOrOptimise } from '../../client/start-or-optimise.ts'
import { temporaryFolder } from '../folders.ts'
import { isUrl } from './plan.ts'
import type { ConvertRequest } from './request.ts'
import type { Item } from './tree.ts'

type Call = { signal: AbortSignal; onProgress?: (progress: Progress) => void }

/**
 * Converts one file and saves its result. Resolves to the result, and where it is.
 *
 * @throws AthanorError; Error of the system if a file cannot be read or written; the signal's reason.
 */
export async function convertItem(
  athanor: Athanor,
  item: Item,
  request: ConvertRequest,
  call: Call,
): Promise<{ result: Result; output: string }> {
  if (item.fault) throw item.fault
  if (!request.overwrite && !item.isFolder && item.output !== '-') await refuseExisting(item.output)
  const upload = await sendSource(athanor, item, request, call)
  const job = await startItem(athanor, upload, request, call.signal)
  const result = await job.done(call)
  const output = outputOf(item, request, result)
  if (output === '-') await print(result)
  else await save(result, output, request.overwrite)
  if (item.keepsDates) {
    const { atime, mtime } = await stat(item.source)
    await utimes(output, atime, mtime)
  }
  return { result, output }
}

const existing = (path: string) => Object.assign(new Error(`${path} exists; -y overwrites it`), { code: 'EEXIST' })

async function refuseExisting(path: string): Promise<void> {
  const facts = await stat(path).catch(() => undefined)
  if (facts) throw existing(path)
}

async function sendSource(athanor: Athanor, { source }: Item, request: ConvertRequest, call: Call): Promise<Upload> {
  if (isUrl(source)) return athanor.upload(source, call)
  const isPipe = source === '-' || !(await stat(source)).isFile()
  if (!isPipe) return athanor.upload(source, call)
  // Its size must be known before it is sent, and it may not fit into the memory.
  const bytes = source === '-' ? process.stdin : createReadStream(source)
  const name = source === '-' ? 'stdin' : basename(source)
  return withTemporary(async (path) => {
    await pipeline(bytes, createWriteStream(path, { mode: 0o600 }), { signal: call.signal })
    return athanor.upload(path, { ...call, fileName: request.from ? `${name}.${request.from}` : name })
  })
}

/** Starts the conversion as the command line asks for it. */
export function startItem(
  athanor: Athanor,
  upload: Upload,
  { to, from, options }: ConvertRequest,
  signal: AbortSignal,
): Promise<Job> {
  const how = { ...options, ...(from !== undefined && { fromFormat: from }), signal }
  return startOrOptimise((intent) => athanor.start(upload, to, { ...how, ...intent }))
}

/** Several pages come as one ZIP, which must not have the name of a picture. */
function outputOf({ output, isFolder }: Item, { to }: ConvertRequest, { name }: Result): string {
  if (isFolder) return join(output, basename(name))
  const isZip = name.endsWith('.zip') && !to.endsWith('zip') && output !== '-'
  return isZip ? `${output.replace(new RegExp(`\\.${RegExp.escape(to)}$`, 'i'), '')}.zip` : output
}

/** Saves a result. Without `overwrite`, it never replaces a file, not even one that came meanwhile. */
async function save(result: Result, path: string, overwrite: boolean): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  if (!overwrite) {
    const claim = await open(path, 'wx').catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'EEXIST' ? existing(path) : error
    })
    await claim.close()
  }
  try {
    await result.save(path)
  } catch (error) {
    if (!overwrite) await rm(path, { force: true })
    throw error
  }
}

/** Prints a whole result, or nothing of it. */
const print = (result: Result) =>
  withTemporary(async (path) => {
    await result.save(path)
    await pipeline(createReadStream(path), process.stdout, { end: false })
  })

async function withTemporary<T>(work: (path: string) => Promise<T>): Promise<T> {
  const folder = await temporaryFolder()
  try {
    return await work(join(folder, 'file'))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
