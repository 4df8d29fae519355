import { useEffect, useState } from 'preact/hooks'

/** Returns the length of local audio in seconds; undefined if the browser cannot play it. */
export function useDuration(file: File | undefined, wanted: boolean): number | undefined {
  const [seconds, setSeconds] = useState<number>()
  useEffect(() => {
    if (!file || !wanted) return setSeconds(undefined)
    const url = URL.createObjectURL(file)
    const player = new Audio()
    player.preload = 'metadata'
    player.onloadedmetadata = () => Number.isFinite(player.duration) && setSeconds(player.duration)
    player.src = url
    return () => {
      player.removeAttribute('src')
      URL.revokeObjectURL(url)
    }
  }, [file, wanted])
  return seconds
}
