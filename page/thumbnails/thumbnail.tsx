import { useEffect, useRef, useState } from 'preact/hooks'
import type { Conversion } from '../../client/client.ts'
import type { Work } from '../work/work.ts'
import { frameOf } from './frame.ts'
import { inTurn, whenVisible } from './turns.ts'

interface Props {
  /** The local file; undefined if there is none. */
  file: File | undefined
  /** A result that browsers can show, in case they cannot show the source. */
  result: Conversion | undefined
  work: Work
}

/** Bytes of results that are fetched for a thumbnail. */
const MAX_FETCHED = 5_000_000

/** Pixels of the canvas. */
const WIDTH = 112
const HEIGHT = 104

/** A small picture of a file, which is made when it comes into view. Until then, and without one, nothing is shown. */
export function Thumbnail({ file, result, work }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [shown, setShown] = useState(false)

  useEffect(() => {
    if (shown) return
    const controller = new AbortController()
    const { signal } = controller
    const draw = (bitmap: ImageBitmap) => {
      if (!signal.aborted) fill(canvas.current!, bitmap)
      bitmap.close()
      setShown(true)
    }
    const make = () =>
      inTurn(signal, async () => {
        const own = file && (await frameOf(file).catch(() => undefined))
        if (own) return draw(own)
        if (!result || (result.outputSize ?? Infinity) > MAX_FETCHED) return
        const url = await work.link(result)
        const answer = url ? await fetch(url, { signal }) : undefined
        const made = answer?.ok && (await frameOf(await answer.blob()))
        if (made) draw(made)
      }).catch(() => {})
    const stop = whenVisible(canvas.current!.parentElement!, () => void make())
    return () => {
      stop()
      controller.abort()
    }
  }, [file, result?.id, shown])

  return <canvas ref={canvas} class={shown ? 'thumbnail shown' : 'thumbnail'} width={WIDTH} height={HEIGHT} />
}

/** Draws a bitmap so that it fills a canvas. */
function fill(canvas: HTMLCanvasElement, bitmap: ImageBitmap): void {
  const scale = Math.max(WIDTH / bitmap.width, HEIGHT / bitmap.height)
  const width = bitmap.width * scale
  const height = bitmap.height * scale
  canvas.getContext('2d')!.drawImage(bitmap, (WIDTH - width) / 2, (HEIGHT - height) / 2, width, height)
}
