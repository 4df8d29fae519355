import { readFile } from 'node:fs/promises'
import { ffmpeg, program } from '../fixtures/program.ts'
import { withFolder } from '../harness/folder.ts'
import { probe } from '../matrix/sound.ts'
import type { Subject } from './family.ts'
import { once } from './sight.ts'

/** Samples a second of the decoded sound, and looks a second at the picture. */
export const pitch = 16_000
export const looks = 50

/** What a player shows and sounds, from the time zero of the file. */
export interface Played {
  /** 8 × 6 points, red, green and blue, at each look. */
  frames: readonly Buffer[]
  /** Samples from -1 to 1 of the first sound stream, by channel. */
  channels: readonly Float64Array[]
}

/** Decodes a film or a sound whole. Rejects if it is damaged. */
export const play = once(async ({ path }): Promise<Played> => {
  const { streams } = await probe(path)
  const sound = streams.find(({ codec_type }) => codec_type === 'audio')
  const moves = streams.some(({ codec_type, disposition }) => codec_type === 'video' && disposition?.attached_pic !== 1)
  const count = Number(sound?.channels ?? 0)
  return withFolder(async (folder) => {
    const still = `fps=${looks}:start_time=0,scale=8:6:flags=area,format=rgb24`
    const steady = `aresample=${pitch}:async=1:first_pts=0`
    const picture = moves ? ['-map', '0:v:0', '-vf', still, '-f', 'rawvideo', `${folder}/picture`] : []
    const heard = sound ? ['-map', '0:a:0', '-af', steady, '-f', 'f64le', `${folder}/sound`] : []
    await ffmpeg('-i', path, ...picture, ...heard)
    const pictures = moves ? await readFile(`${folder}/picture`) : Buffer.alloc(0)
    const samples = sound ? await readFile(`${folder}/sound`) : Buffer.alloc(0)
    const length = count ? Math.floor(samples.length / 8 / count) : 0
    return {
      frames: Array.from({ length: Math.floor(pictures.length / 144) }, (_, at) =>
        pictures.subarray(at * 144, (at + 1) * 144),
      ),
      channels: Array.from({ length: count }, (_, n) =>
        Float64Array.from({ length }, (_, at) => samples.readDoubleLE((at * count + n) * 8)),
      ),
    }
  })
})

/** A track as MediaInfo describes it. */
export type Track = Readonly<Record<string, any>>

/** What MediaInfo, which shares no code with ffmpeg, finds in a file: a track for the file, and one for each stream. */
export async function tracksOf({ path }: Subject, type: string): Promise<Track[]> {
  const { media } = JSON.parse((await program('mediainfo', '--Output=JSON', path)).toString())
  return ((media?.track ?? []) as Track[]).filter((track) => track['@type'] === type)
}

/** Level in dB of samples, root mean square. */
export const levelOf = (samples: Float64Array) =>
  10 * Math.log10(samples.reduce((sum, value) => sum + value * value, 0) / Math.max(1, samples.length) + 1e-12)

/** When the first sound begins, in seconds: the first 10 ms above a quarter of the loudest. */
export function beepOf({ channels }: Played): number | undefined {
  const first = channels.map((samples) => {
    const peak = samples.reduce((max, value) => Math.max(max, Math.abs(value)), 0)
    return peak > 0.01 ? samples.findIndex((value) => Math.abs(value) > peak / 3) : -1
  })
  const at = Math.min(...first.filter((index) => index >= 0))
  return Number.isFinite(at) ? at / pitch : undefined
}

/** The strongest frequency in hertz of a channel, from `from` seconds for 0.15 s, in steps of 10 Hz. */
export function hertzOf(samples: Float64Array, from: number): number {
  const part = samples.subarray(Math.round(from * pitch), Math.round((from + 0.15) * pitch))
  const strength = (hertz: number) => {
    let re = 0
    let im = 0
    for (const [at, value] of part.entries()) {
      re += value * Math.cos((2 * Math.PI * hertz * at) / pitch)
      im += value * Math.sin((2 * Math.PI * hertz * at) / pitch)
    }
    return re * re + im * im
  }
  const steps = Array.from({ length: 150 }, (_, at) => ({ hertz: 60 + 10 * at, power: strength(60 + 10 * at) }))
  return steps.reduce((best, step) => (step.power > best.power ? step : best)).hertz
}
