import { useEffect, useRef, useState } from 'preact/hooks'
import type { Options, OptionsSchema } from '../../client/client.ts'
import type { Item } from '../state/item.ts'
import { type Sample, sampleOf } from './tiles.ts'

/** Targets whose encoders browsers have, too. */
const ENCODERS: Readonly<Record<string, string>> = { jpg: 'image/jpeg', webp: 'image/webp' }

/** Sources that are one picture. */
const STILLS = ['jpg', 'png', 'bmp', 'heic', 'avif']

/**
 * Returns a function that tells how many bytes the result takes with some options; undefined if that cannot be known:
 * of audio and video by length and bit rate, of pictures by parts that the browser encodes.
 */
export function useExpectedSize(
  { file, upload, to }: Item,
  { properties }: OptionsSchema,
  presets: readonly Options[],
): (options: Options) => number | undefined {
  const from = upload!.file.format
  const type = STILLS.includes(from) && properties.quality && ENCODERS[to ?? '']
  const usual = properties.quality?.default as number | undefined
  /** Without options, a picture of the same format is not encoded again. */
  const qualityOf = ({ quality = from === to ? undefined : usual, ...rest }: Options) =>
    Object.keys(rest).length ? undefined : (quality as number | undefined)
  const seconds = useDuration(file, properties.bitrate !== undefined)
  const sizes = usePictureSizes(type ? file : undefined, type || '', presets.map(qualityOf))
  return (options) => {
    if (type) return sizes.get(qualityOf(options) ?? 0)
    const { bitrate = properties.bitrate?.default, audioBitrate = properties.audioBitrate?.default } = options
    // The bit rate of a film is that of its pictures, which none has by default.
    const sound = properties.crf && !options.stripAudio ? Number(audioBitrate ?? 0) : 0
    return seconds && typeof bitrate === 'number' ? (seconds * (bitrate + sound) * 1000) / 8 : undefined
  }
}

/** Returns the bytes that a picture takes by quality, as far as they are known. */
function usePictureSizes(file: File | undefined, type: string, qualities: readonly (number | undefined)[]) {
  const [sizes, setSizes] = useState<ReadonlyMap<number, number>>(new Map())
  const sample = useRef<Promise<Sample | undefined>>(undefined)
  const asked = qualities.filter((quality) => quality !== undefined)
  useEffect(() => {
    let isGone = false
    const measure = async (file: File) => {
      const parts = await (sample.current ??= sampleOf(file))
      for (const quality of asked) {
        const size = isGone ? undefined : await parts?.encoded(type, quality)
        if (size && !isGone) setSizes((known) => new Map(known).set(quality, size))
      }
    }
    // What the browser cannot decode has no expected size.
    if (file) void measure(file).catch(() => {})
    return () => {
      isGone = true
    }
  }, [file, type, asked.join()])
  return sizes
}

/** Returns the length of local audio or video in seconds; undefined if the browser cannot play it. */
function useDuration(file: File | undefined, wanted: boolean): number | undefined {
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
