/** Makes thumbnails: browsers decode pictures beside the thread that draws, and scale them in the one that asks. */
import { WIDTH } from './width.ts'

/** A picture, and the number of the request. */
export interface Asked {
  id: number
  blob: Blob
}

/** The thumbnail; undefined if the browser cannot show the picture. */
export interface Answered {
  id: number
  bitmap: ImageBitmap | undefined
}

addEventListener('message', async ({ data: { id, blob } }: MessageEvent<Asked>) => {
  const bitmap = await createImageBitmap(blob, { resizeWidth: WIDTH, resizeQuality: 'medium' }).catch(() => undefined)
  const answer: Answered = { id, bitmap }
  ;(globalThis as unknown as Worker).postMessage(answer, bitmap ? [bitmap] : [])
})
