import { open, realpath, rm, stat } from 'node:fs/promises'
import { basename, dirname, extname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Athanor } from '../athanor.ts'
import { ToolError } from './answers.ts'
import type { LocalFiles } from './service.ts'

/** Maximum files of one name in a folder: then something is wrong. */
const MAX_SAME_NAME = 1000

/**
 * Gives the tools the files of some folders. A page that the agent has read may tell it to send other files somewhere,
 * or to write them.
 * @param folders The first one takes results whose source has no folder.
 */
export function createLocalFiles(athanor: Athanor, folders: readonly string[]): LocalFiles {
  /** Returns the real path of something in one of the folders; links can lead out of them. */
  async function inside(path: string): Promise<string> {
    const real = await realpath(path)
    for (const folder of folders) {
      const way = relative(await realpath(folder), real)
      if (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)) return real
    }
    throw new ToolError('PATH_NOT_ALLOWED', `${path} is outside the allowed folders: ${folders.join(', ')}`)
  }

  /** The path of a file that does not exist yet, in a folder that does. */
  async function fresh(path: string): Promise<string> {
    const file = resolve(path)
    const folder = await inside(dirname(file)).catch((error: unknown) => {
      throw missing(error, `There is no folder ${dirname(file)}`)
    })
    return join(folder, basename(file))
  }

  return {
    async read(path, fileName, signal) {
      const real = await inside(resolve(path)).catch((error: unknown) => {
        throw missing(error, `There is no file ${path}`)
      })
      if (!(await stat(real)).isFile()) throw new ToolError('BAD_REQUEST', `${path} is not a file`)
      const { file } = await athanor.upload(real, { signal, ...(fileName !== undefined && { fileName }) })
      return { fileId: file.fileId, path: real }
    },

    async check(path) {
      const file = await fresh(path)
      if (await exists(file)) throw taken(path)
    },

    async save(conversion, to, beside, signal) {
      const result = athanor.result(conversion, signal)
      const wanted = to ?? join(beside === undefined ? (folders[0] ?? '.') : dirname(beside), result.name)
      const path = await reserve(await fresh(wanted), to === undefined)
      try {
        await result.save(path)
      } catch (error) {
        await rm(path, { force: true })
        throw error
      }
      return pathToFileURL(path).href
    },
  }
}

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )

const taken = (path: string) => new ToolError('FILE_EXISTS', `${path} exists, and is not overwritten`)

const missing = (error: unknown, message: string) =>
  ['ENOENT', 'ENOTDIR'].includes((error as { code?: string }).code ?? '')
    ? new ToolError('NO_SUCH_FILE', message)
    : error

/** Creates an empty file that was not there; with `numbers`, `name (2).ext` if it was. Returns its path. */
async function reserve(path: string, numbers: boolean): Promise<string> {
  const end = extname(path)
  for (let number = 1; number <= MAX_SAME_NAME; number++) {
    const tried = number === 1 ? path : `${path.slice(0, path.length - end.length)} (${number})${end}`
    try {
      await (await open(tried, 'wx')).close()
      return tried
    } catch (error) {
      if ((error as { code?: string }).code !== 'EEXIST') throw error
      if (!numbers) break
    }
  }
  throw taken(path)
}
