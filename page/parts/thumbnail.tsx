import { useEffect, useRef } from 'preact/hooks'
import type { Shows } from '../thumbnails/show.ts'
import type { Work } from '../work/work.ts'

/** A small picture of a file. Until it is made, and if it cannot be made, nothing is shown. */
export function Thumbnail({ work, file, result }: Shows & { work: Work }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const leaving = new AbortController()
    void import('../thumbnails/show.ts').then(
      ({ show }) => show(canvas.current!, { file, result }, work, leaving.signal),
      () => {},
    )
    return () => leaving.abort()
  }, [file, result?.id])
  return <canvas ref={canvas} class="thumbnail" width={112} height={104} />
}
