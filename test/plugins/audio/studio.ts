import { chmod, copyFile, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ffmpeg, program } from '../../fixtures/program.ts'
import { startMachine } from '../../harness/machine.ts'
import { probe } from '../../matrix/sound.ts'

/** A result with its streams and tags. */
export interface Result {
  path: string
  size: number
  sound: Record<string, any>
  picture: Record<string, any>
  streams: Record<string, any>[]
  tags: Record<string, string>
  chapters: Record<string, any>[]
  seconds: number
  /** Progress reports. */
  progress: number[]
}

/** The audio and video plugins in the real sandbox, with the real catalogue and converter, and a folder for files. */
export async function studio() {
  const machine = await startMachine()
  const { catalogue, converter, options: validator } = machine
  const folder = await mkdtemp(join(tmpdir(), 'studio-'))
  let count = 0
  const place = (extension: string) => join(folder, `${count++}.${extension}`)

  /** Makes a file by ffmpeg. The extension determines its codecs. */
  async function film(extension: string, ...args: (string | number)[]): Promise<string> {
    const path = place(extension)
    await ffmpeg(...args, path)
    await chmod(path, 0o644)
    return path
  }

  async function file(extension: string, bytes: Buffer | string): Promise<string> {
    const path = place(extension)
    await writeFile(path, bytes)
    return path
  }

  /** Converts, or optimises if `to` is the source's own format. Rejects with ConversionFailure. */
  async function convert(source: string, to: string, given: object = {}): Promise<Result> {
    const from = catalogue.canonical(source.slice(source.lastIndexOf('.') + 1))!
    const intent = from === to ? 'transform' : 'convert'
    const pair = catalogue.find(from, to, intent)
    validator.check(pair.plugin, to, { ...given })
    const progress: number[] = []
    await using made = await converter.convert({
      ...{ owner: 'user_studio', source, pair, intent, name: 'film', size: (await stat(source)).size },
      options: validator.complete(pair.plugin, to, intent, { ...given }),
      signal: AbortSignal.timeout(300_000),
      report: (fraction) => progress.push(fraction),
    })
    const path = place(to)
    await copyFile(made.path, path)
    const { streams, format, chapters } = await probe(path)
    const of = (type: string) => streams.find(({ codec_type }) => codec_type === type) ?? {}
    const seconds = Number(format.duration)
    const tags = { ...format.tags, ...of('audio').tags }
    const told = { streams, tags, chapters: chapters as Record<string, any>[], seconds, progress }
    return { path, size: made.size, sound: of('audio'), picture: of('video'), ...told }
  }

  /** Returns the code and the message of a conversion that must fail. */
  const failure = (source: string, to: string, given: object = {}): Promise<{ code: string; message: string }> =>
    convert(source, to, given).then(
      ({ size }) => ({ code: `made ${size} bytes`, message: '' }),
      ({ code, message }) => ({ code, message }),
    )

  /** Returns a checksum of a stream's packets, which copying does not change. */
  const packets = async (path: string, stream: string) =>
    (await ffmpeg('-i', path, '-map', `0:${stream}`, '-c', 'copy', '-f', 'md5', '-')).toString().trim()

  /** Returns the integrated loudness in LUFS by EBU R 128. */
  async function loudness(path: string): Promise<number> {
    const graph = `amovie=${path},ebur128=metadata=1`
    const entry = ['-show_entries', 'frame_tags=lavfi.r128.I', '-of', 'csv=p=0']
    const printed = await program('ffprobe', '-v', 'error', '-f', 'lavfi', '-i', graph, ...entry)
    return Number(printed.toString().trim().split('\n').at(-1))
  }

  return {
    ...{ catalogue, convert, failure, film, file, packets, loudness },
    async [Symbol.asyncDispose]() {
      await machine[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Sources for `film`: moving pictures and a tone. */
export const moving = (size = '160x120', seconds = 1, rate: number | string = 25) =>
  ['-f', 'lavfi', '-i', `testsrc2=s=${size}:r=${rate}:d=${seconds}`] as const
export const sounding = (seconds = 1, channels = 2, rate = 44_100, volume = 0.25) => {
  const waves = Array.from({ length: channels }, (_, n) => `${volume}*sin(2*PI*${220 * (n + 1)}*t)`)
  return [
    '-f',
    'lavfi',
    '-i',
    `aevalsrc=${waves.join('|')}:s=${rate}:d=${seconds}${channels === 6 ? ':c=5.1' : ''}`,
  ] as const
}
