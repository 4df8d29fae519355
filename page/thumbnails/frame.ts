import { scaled } from './scaled.ts'
import { WIDTH } from './width.ts'

/** Milliseconds that a film may take until its first frame. */
const FRAME_TIMEOUT_MS = 8000

/** Returns a small picture of an image or a film; undefined if the browser cannot show it. @throws Error likewise. */
export async function frameOf(blob: Blob): Promise<ImageBitmap | undefined> {
  if (blob.type.startsWith('video/')) return filmFrame(blob)
  // Browsers make no bitmap of such a file without an element.
  if (blob.type === 'image/svg+xml') return drawing(blob)
  return scaled(blob)
}

async function drawing(blob: Blob): Promise<ImageBitmap> {
  return withUrl(blob, async (url) => {
    const image = new Image()
    image.src = url
    await image.decode()
    // It may have a shape and no size.
    const canvas = document.createElement('canvas')
    canvas.width = WIDTH
    canvas.height = (WIDTH * image.naturalHeight) / image.naturalWidth || WIDTH
    canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height)
    return createImageBitmap(canvas)
  })
}

async function filmFrame(blob: Blob): Promise<ImageBitmap> {
  return withUrl(blob, async (url) => {
    const film = document.createElement('video')
    film.muted = true
    film.preload = 'auto'
    try {
      await new Promise((resolve, reject) => {
        film.onloadeddata = resolve
        film.onerror = reject
        setTimeout(reject, FRAME_TIMEOUT_MS)
        film.src = url
      })
      return await createImageBitmap(film, { resizeWidth: WIDTH, resizeQuality: 'medium' })
    } finally {
      // Otherwise the browser would keep its decoder.
      film.removeAttribute('src')
      film.load()
    }
  })
}

async function withUrl<Result>(blob: Blob, use: (url: string) => Promise<Result>): Promise<Result> {
  const url = URL.createObjectURL(blob)
  try {
    return await use(url)
  } finally {
    URL.revokeObjectURL(url)
  }
}
