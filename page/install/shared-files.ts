const CACHE = 'athanor-shared'
const NAME = 'x-name'

/**
 * Keeps shared files until the page takes them.
 *
 * @param place URL of a folder that tells this service from others of the same origin.
 */
export async function keepShared(place: string, files: readonly File[]): Promise<void> {
  const cache = await caches.open(CACHE)
  const each = files.map((file) => {
    const headers = { [NAME]: encodeURIComponent(file.name), 'content-type': file.type }
    return cache.put(place + crypto.randomUUID(), new Response(file, { headers }))
  })
  await Promise.all(each)
}

/** Returns the files that were shared with the page, and removes them from the browser's storage. */
export async function takeShared(place: string): Promise<File[]> {
  const cache = await caches.open(CACHE)
  const files: File[] = []
  for (const request of await cache.keys()) {
    if (!request.url.startsWith(place)) continue
    const kept = (await cache.match(request))!
    const name = decodeURIComponent(kept.headers.get(NAME)!)
    files.push(new File([await kept.blob()], name, { type: kept.headers.get('content-type') ?? '' }))
    await cache.delete(request)
  }
  return files
}
