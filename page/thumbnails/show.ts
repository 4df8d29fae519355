import type { Conversion } from '../../client/client.ts'
import type { Work } from '../work/work.ts'
import { frameOf } from './frame.ts'
import { inTurn, whenVisible } from './turns.ts'

/** What a thumbnail can show. */
export interface Shows {
  /** The local file; undefined if there is none. */
  file: File | undefined
  /** A result that browsers can show, in case they cannot show the source. */
  result: Conversion | undefined
}

/** Bytes of results that are fetched for a thumbnail. */
const MAX_FETCHED = 5_000_000

/** Draws a small picture of a file on a canvas when it comes into view, unless the signal is aborted. */
export function show(canvas: HTMLCanvasElement, { file, result }: Shows, work: Work, signal: AbortSignal): void {
  if (signal.aborted || canvas.classList.contains('shown')) return
  const draw = (bitmap: ImageBitmap) => {
    if (!signal.aborted) {
      fill(canvas, bitmap)
      canvas.classList.add('shown')
    }
    bitmap.close()
  }
  const make = async () => {
    const own = file && (await frameOf(file).catch(() => undefined))
    if (own) return draw(own)
    if (!result || (result.outputSize ?? Infinity) > MAX_FETCHED) return
    const url = await work.link(result)
    const answer = url ? await fetch(url, { signal }) : undefined
    const made = answer?.ok && (await frameOf(await answer.blob()))
    if (made) draw(made)
  }
  const stop = whenVisible(canvas, () => void inTurn(signal, make).catch(() => {}))
  signal.addEventListener('abort', stop)
}

/** Draws a bitmap so that it fills a canvas. */
function fill(canvas: HTMLCanvasElement, bitmap: ImageBitmap): void {
  const { width, height } = canvas
  const scale = Math.max(width / bitmap.width, height / bitmap.height)
  const wide = bitmap.width * scale
  const high = bitmap.height * scale
  canvas.getContext('2d')!.drawImage(bitmap, (width - wide) / 2, (height - high) / 2, wide, high)
}
