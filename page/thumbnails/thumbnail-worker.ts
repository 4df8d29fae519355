/** Makes thumbnails: browsers decode pictures beside the thread that draws, and scale them in the one that asks. */
import { isSheet, scanOf } from './scan.ts'
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
  const bitmap = await make(blob).catch(() => undefined)
  const answer: Answered = { id, bitmap }
  ;(globalThis as unknown as Worker).postMessage(answer, bitmap ? [bitmap] : [])
})

async function make(blob: Blob): Promise<ImageBitmap | undefined> {
  const isPdf = blob.type === 'application/pdf'
  const picture = isPdf ? await scanOf(blob) : blob
  const bitmap = picture && (await createImageBitmap(picture, { resizeWidth: WIDTH, resizeQuality: 'medium' }))
  return bitmap && (!isPdf || isSheet(bitmap)) ? bitmap : undefined
}
