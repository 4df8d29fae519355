import type { Conversion, Format, StartRequest, Tool, Upload } from '../records.ts'

/**
 * What the tools need from a service: the same operations as the REST API, with the same checks and limits.
 * Each throws an error with the `code` of the API, and `retryAfter` in seconds if it is known.
 */
export interface Service {
  formats(): Promise<readonly Format[]>
  /** The tool of a pair of formats, with its options; undefined if there is none. */
  tool(from: string, to: string): Promise<Tool | undefined>
  /** Fetches a file from a URL. */
  importUrl(source: { url: string; fileName?: string }): Promise<Upload>
  /** Starts a conversion; a file that has the format already is optimised. Resolves to its id. */
  start(request: Pick<StartRequest, 'fileId' | 'toFormat' | 'options' | 'fileName'>): Promise<string>
  /** @param wait Seconds, 0 to 30: resolves at its end, or after this time. */
  conversion(id: string, wait: number, signal: AbortSignal): Promise<Conversion>
  /** Cancels or deletes a conversion. */
  remove(id: string): Promise<void>
  /** Promises a place for a file that is not uploaded yet. Undefined: the agent shares a file system with the tools. */
  handle?: (fileName: string) => Promise<Handle>
  /** The files of this computer. Undefined: it is another one than the agent's. */
  local?: LocalFiles
}

/** A promised place for a file. */
export interface Handle {
  /** Takes the bytes by PUT, once, without a credential. */
  uploadUrl: string
  /** What the file will have. */
  fileId: string
  /** Seconds. */
  expiresIn: number
}

export interface LocalFiles {
  /** Uploads a file. Resolves to its `fileId` and its real path. */
  read(path: string, fileName: string | undefined, signal: AbortSignal): Promise<{ fileId: string; path: string }>
  /** Checks, before work is done for it, whether a new file can be written there. */
  check(path: string): Promise<void>
  /**
   * Writes a result to a new file. Resolves to its URL.
   * @param to Undefined: in the folder `beside` which it is put, else in the working folder.
   */
  save(conversion: Conversion, to: string | undefined, beside: string | undefined, signal: AbortSignal): Promise<string>
}
