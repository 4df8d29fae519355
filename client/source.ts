/** What can be converted: a path or an http(s) URL as text, a URL, a File or Blob, bytes, or a stream of bytes. */
export type Source = string | URL | Blob | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>

/** A source that is ready to be sent: its bytes, or an address from which the service gets it. */
export type OpenSource = { file: Blob; name: string } | { url: string }

/**
 * Opens a source. Files are read while they are sent; a stream is read to its end first, since its size must be known.
 *
 * @param name Name of the file, if the source has none. @throws Error of the platform if a path cannot be read.
 */
export async function openSource(source: Source, name?: string): Promise<OpenSource> {
  if (source instanceof URL && source.protocol === 'file:') return openPath(source, name)
  if (source instanceof URL || (typeof source === 'string' && /^https?:\/\//i.test(source))) {
    return { url: String(source) }
  }
  if (typeof source === 'string') return openPath(source, name)
  if (source instanceof Blob) return { file: source, name: name ?? (source as { name?: string }).name ?? 'file' }
  const file = source instanceof Uint8Array ? new Blob([source]) : await new Response(source).blob()
  return { file, name: name ?? 'file' }
}

async function openPath(path: string | URL, name?: string): Promise<OpenSource> {
  const { openAsBlob } = await import('node:fs')
  const { access } = await import('node:fs/promises')
  const { basename } = await import('node:path')
  const { fileURLToPath } = await import('node:url')
  const local = path instanceof URL ? fileURLToPath(path) : path
  // Not every platform says here that it cannot be read.
  await access(local)
  return { file: await openAsBlob(local), name: name ?? basename(local) }
}
