import { readFile } from 'node:fs/promises'
import { ffmpeg, program } from '../fixtures/program.ts'
import type { Sample } from '../fixtures/sample.ts'
import { withFolder } from '../harness/folder.ts'
import { expectLike } from './likeness.ts'
import { fromPam } from './pixels.ts'
import { decodeSound, probe, verifyTones } from './sound.ts'
import { Unlike } from './verdict.ts'

/** The video and audio codecs of each target. The first ones are encoded; the others may be copied. */
const codecs: Readonly<Record<string, readonly [picture: RegExp, sound: RegExp]>> = {
  mp4: [/^(h264|hevc)$/, /^aac$/],
  mov: [/^(h264|hevc|mpeg4|prores|mjpeg|dvvideo)$/, /^(aac|mp3|ac3|pcm_s16le|pcm_s16be)$/],
  mkv: [/^(h264|vp8|vp9|mpeg4|theora|hevc|av1)$/, /^(aac|mp3|ac3|vorbis|opus|flac|pcm_s16le)$/],
  webm: [/^vp[89]$/, /^(opus|vorbis)$/],
  avi: [/^mpeg4$/, /^(mp3|ac3|mp2|pcm_s16le)$/],
  wmv: [/^wmv[123]$/, /^wmav[12]$/],
  flv: [/^(h264|flv1)$/, /^(aac|mp3)$/],
  mpg: [/^mpeg2video$/, /^mp2$/],
  ts: [/^(h264|hevc|mpeg2video)$/, /^(aac|mp3|mp2|ac3)$/],
  m2ts: [/^(h264|hevc|mpeg2video)$/, /^ac3$/],
  '3gp': [/^h264$/, /^aac$/],
  '3g2': [/^h264$/, /^aac$/],
  ogv: [/^theora$/, /^(vorbis|opus|flac)$/],
  mxf: [/^mpeg2video$/, /^pcm_s16le$/],
}

/** Containers that start late, or have a coarse clock. */
const coarse = ['mpg', 'ts', 'm2ts', 'avi', 'wmv', 'flv', 'mxf']

/**
 * Compares a video with its source: codecs, size, frames and their order, length, tones.
 *
 * @throws Unlike if something differs, and the reader's error if it cannot read the file.
 */
export async function verifyVideo(path: string, to: string, source: Sample): Promise<void> {
  const { streams, format } = await probe(path)
  const [picture, sound] = ['video', 'audio'].map((type) => streams.find(({ codec_type }) => codec_type === type))
  const [pictures, sounds] = codecs[to]!
  if (!picture || !pictures.test(picture.codec_name)) throw new Unlike(`${picture?.codec_name} in ${to}`)
  if (picture.width % 2 || picture.height % 2) throw new Unlike(`${picture.width} × ${picture.height} is odd`)
  const [across = 1, down = 1] = String(picture.sample_aspect_ratio ?? '1:1')
    .split(':')
    .map((part) => Number(part) || 1)
  const aspect = (picture.width * across) / (picture.height * down)
  if (Math.abs(aspect / (source.width / source.height) - 1) > 0.02) throw new Unlike(`an aspect of ${aspect}`)

  // Decodes every packet of every stream, and fails at damage.
  await ffmpeg('-xerror', '-i', path, '-map', 0, '-f', 'null', '-')
  const times = await frameTimes(path)
  const wanted = source.seconds ? source.seconds * 25 : 1
  // Theora drops repeated frames.
  const least = to === 'ogv' && source.seconds ? 3 : wanted * 0.9
  if (times.length < least) throw new Unlike(`${times.length} frames of ${wanted}`)
  const [first = 0] = times
  const slack = coarse.includes(to) ? 0.3 : 0.1
  if (source.seconds) {
    const lasts = to === 'ogv' ? Number(format.duration) : times.at(-1)! - first + 0.04
    if (Math.abs(lasts - source.seconds) > slack) throw new Unlike(`${lasts.toFixed(2)} s instead of ${source.seconds}`)
  }
  for (const [frame, at] of (source.seconds ? [0.2, 0.6, 1] : [0]).entries()) {
    const index = times.findLastIndex((time) => time - first <= at)
    await expectLike(await frameOf(path, index), source, 22, { tones: 'colour', square: false }, frame)
  }

  if (source.sound !== 'none') {
    if (!sound || !sounds.test(sound.codec_name)) throw new Unlike(`${sound?.codec_name} in ${to}`)
    const samples = await decodeSound(path, to)
    const lasts = samples.channels[0]!.length / samples.rate
    if (Math.abs(lasts - source.seconds) > slack) throw new Unlike(`${lasts.toFixed(2)} s of sound`)
    verifyTones(samples, source, 'all')
  } else if (sound) throw new Unlike('sound out of nothing')
}

/** Returns the time of each frame in seconds. */
export async function frameTimes(path: string): Promise<number[]> {
  const what = ['-select_streams', 'v:0', '-show_entries', 'frame=best_effort_timestamp_time', '-of', 'csv=p=0']
  const printed = await program('ffprobe', '-v', 'error', ...what, path)
  return printed
    .toString()
    .split('\n')
    .map((line) => Number.parseFloat(line))
    .filter((time) => !Number.isNaN(time))
}

const frameOf = (path: string, index: number) =>
  withFolder(async (folder) => {
    const file = `${folder}/frame.pam`
    const choose = ['-vf', `select=eq(n\\,${index})`, '-frames:v', 1, '-vsync', 'passthrough', '-f', 'image2']
    await ffmpeg('-i', path, ...choose, '-c:v', 'pam', '-pix_fmt', 'rgba', file)
    return fromPam(await readFile(file))
  })
