import { trustedUrl } from '../install/trusted-url.ts'
import type { Answered, Asked } from './thumbnail-worker.ts'

let worker: Worker | undefined
let lastId = 0
const pending = new Map<number, (bitmap: ImageBitmap | undefined) => void>()

/** Returns a small bitmap of a picture, made in a worker; undefined if the browser cannot show it. */
export function scaled(blob: Blob): Promise<ImageBitmap | undefined> {
  worker ??= start()
  const id = ++lastId
  const asked: Asked = { id, blob }
  worker.postMessage(asked)
  return new Promise((resolve) => pending.set(id, resolve))
}

function start(): Worker {
  // Beside this script.
  const started = new Worker(trustedUrl(new URL('thumbnail-worker.js', import.meta.url).href))
  started.addEventListener('message', ({ data: { id, bitmap } }: MessageEvent<Answered>) => {
    pending.get(id)?.(bitmap)
    pending.delete(id)
  })
  // The service was replaced by a version without it.
  started.addEventListener('error', () => {
    for (const resolve of pending.values()) resolve(undefined)
    pending.clear()
  })
  return started
}
