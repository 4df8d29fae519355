/** Films and sounds made by ffmpeg, and what ffprobe tells of results. */
import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { ffmpeg } from '../fixtures/program.ts'
import { probe } from '../matrix/sound.ts'

let count = 0

/** Makes a file in a folder. The extension determines its codecs. Returns its path. */
export async function film(folder: string, extension: string, ...args: (string | number)[]): Promise<string> {
  const path = join(folder, `film-${count++}.${extension}`)
  await ffmpeg(...args, path)
  await chmod(path, 0o644)
  return path
}

/** Sources for `film`: moving pictures and a tone. */
export const moving = (size = '160x120', seconds = 1, rate: number | string = 25) =>
  ['-f', 'lavfi', '-i', `testsrc2=s=${size}:r=${rate}:d=${seconds}`] as const
export const sounding = (seconds = 1, channels = 2, rate = 44_100, volume = 0.25) => {
  const waves = Array.from({ length: channels }, (_, n) => `${volume}*sin(2*PI*${220 * (n + 1)}*t)`)
  const layout = channels === 6 ? ':c=5.1' : ''
  return ['-f', 'lavfi', '-i', `aevalsrc=${waves.join('|')}:s=${rate}:d=${seconds}${layout}`] as const
}

/** What ffprobe tells: the first sound, the first picture, and all streams. */
export async function told(path: string) {
  const { streams, format } = await probe(path)
  const of = (type: string): Record<string, any> => streams.find(({ codec_type }) => codec_type === type) ?? {}
  return { streams, sound: of('audio'), picture: of('video'), seconds: Number(format.duration) }
}

/** A checksum of a stream's packets, which copying does not change. */
export const packets = async (path: string, stream: string) =>
  (await ffmpeg('-i', path, '-map', `0:${stream}`, '-c', 'copy', '-f', 'md5', '-')).toString().trim()
