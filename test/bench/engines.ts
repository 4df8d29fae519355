import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { execa } from 'execa'
import { sample } from '../fixtures/samples.ts'
import type { createClient } from './client.ts'
import { makeMesh } from './mesh.ts'
import type { Goal } from './report.ts'

type Client = ReturnType<typeof createClient>

/** Folder for the measurements of the other categories. */
interface Bench {
  client: Client
  folder: string
  goals: Goal[]
  time: (run: () => Promise<unknown>) => Promise<number>
}

const ROUNDS = 5

/** Milliseconds that the sandbox and the service may add to a job. */
const ALLOWED = 80

const ffmpeg = (...args: string[]) => execa('ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args])

/** Documents, audio, video, ebooks, models and archives, each compared with its bare program. */
export async function benchEngines(bench: Bench): Promise<void> {
  await benchOffice(bench, 'docx')
  await benchOffice(bench, 'xlsx')
  await benchPrograms(bench)
  await benchFilms(bench)
}

/** Time from the first byte of the upload to the last byte of the download. */
const whole = (client: Client, source: string, to: string, options?: object) => async () => {
  const { file } = await client.upload(source)
  await client.drain((await client.convert(file.fileId, to, options)).outputUrl)
}

async function benchOffice({ client, folder, goals, time }: Bench, from: 'docx' | 'xlsx'): Promise<void> {
  const name = `${from.toUpperCase()} to PDF`
  const { path } = await sample(from)
  const target = join(folder, 'bare.pdf')
  const cold = async () => {
    const profile = await mkdtemp(join(folder, 'office-'))
    const args = ['--headless', `-env:UserInstallation=file://${profile}`, '--convert-to', 'pdf', '--outdir', profile]
    await execa('soffice', [...args, path])
    await rm(profile, { recursive: true })
  }
  const uno = await openOffice()
  const [ours, bareCold, bareWarm]: [number[], number[], number[]] = [[], [], []]
  await uno.convert(path, target)
  await whole(client, path, 'pdf')()
  for (let round = 0; round < ROUNDS; round++) {
    bareCold.push(await time(cold))
    bareWarm.push(await time(() => uno.convert(path, target)))
    ours.push(await time(whole(client, path, 'pdf')))
  }
  await uno.close()
  goals.push({ name: `${name}, end to end against cold`, unit: 'ms', ours, bare: bareCold, atMost: 0.35 })
  goals.push({ name: `${name}, end to end against warm UNO`, unit: 'ms', ours, bare: bareWarm, atMost: 2 })

  const { file } = await client.upload(path)
  const took = await time(() => inFlight(2, 50, () => client.convert(file.fileId, 'pdf')))
  const perMinute = [60_000 / (bareCold.toSorted((a, b) => a - b)[2] ?? Number.NaN)]
  goals.push({
    name: `${name}, two in flight, 50 of 50`,
    unit: 'jobs/min',
    ours: [3_000_000 / took],
    bare: perMinute,
    atLeast: 4,
  })
}

async function inFlight(lanes: number, jobs: number, run: () => Promise<unknown>): Promise<void> {
  let next = 0
  const lane = async () => {
    while (next++ < jobs) await run()
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}

/** A LibreOffice that stays open, without the service. */
async function openOffice() {
  const child = spawn('/usr/bin/python3', [join(import.meta.dirname, 'warm_office.py')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  await lines.next()
  return {
    async convert(source: string, target: string): Promise<void> {
      child.stdin.write(`${source}\t${target}\n`)
      if ((await lines.next()).value !== 'done') throw new Error('the office failed')
    },
    async close(): Promise<void> {
      child.stdin.end()
      await once(child, 'exit')
    },
  }
}

async function benchPrograms({ client, folder, goals, time }: Bench): Promise<void> {
  const wav = join(folder, 'tones.wav')
  await ffmpeg('-f', 'lavfi', '-i', 'sine=440:r=44100:d=120', '-ac', '2', wav)
  const obj = join(folder, 'torus.obj')
  await writeFile(obj, makeMesh(300, 200))
  const { path: epub } = await sample('epub', 'ebook')
  const zip = join(folder, 'many.zip')
  await execa('bsdtar', ['-a', '-cf', zip, '-C', folder, 'tones.wav', 'torus.obj'])
  const bare = (name: string) => join(folder, name)
  const rows: [name: string, source: string, to: string, run: () => Promise<unknown>][] = [
    ['OBJ to GLB', obj, 'glb', () => execa('assimp', ['export', obj, bare('bare.glb'), '-fglb2'])],
    ['WAV to MP3', wav, 'mp3', () => ffmpeg('-i', wav, '-b:a', '192k', bare('bare.mp3'))],
    ['EPUB to MOBI', epub, 'mobi', () => execa('ebook-convert', [epub, bare('bare.mobi')])],
    ['ZIP to TGZ', zip, 'tar.gz', () => execa('bsdtar', ['-czf', bare('bare.tgz'), `@${zip}`])],
  ]
  for (const [name, source, to, run] of rows) {
    const [ours, plain]: [number[], number[]] = [[], []]
    await whole(client, source, to)()
    for (let round = 0; round < ROUNDS; round++) {
      plain.push(await time(run))
      ours.push((await time(whole(client, source, to))) - ALLOWED)
    }
    goals.push({ name: `${name}, end to end less ${ALLOWED} ms`, unit: 'ms', ours, bare: plain, atMost: 1.03 })
  }
}

async function benchFilms({ client, folder, goals, time }: Bench): Promise<void> {
  const film = join(folder, 'film.mp4')
  const picture = ['-f', 'lavfi', '-i', 'mandelbrot=s=1920x1080:r=25', '-f', 'lavfi', '-i', 'sine=440']
  await ffmpeg(...picture, '-t', '6', '-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', film)
  // So long that encoding takes half a minute, as with real videos.
  const long = join(folder, 'long.mp4')
  await ffmpeg('-stream_loop', '4', '-i', film, '-c', 'copy', long)
  const bare = (name: string) => join(folder, name)
  const [small, plainSmall, other, web, plainWeb]: number[][] = [[], [], [], [], []]
  const scaled = ['-i', film, '-vf', 'scale=1280:720', '-c:v', 'libx264', '-preset', 'veryfast', '-crf', '23']
  for (let round = 0; round < 3; round++) {
    plainSmall!.push(await time(() => ffmpeg(...scaled, '-c:a', 'aac', '-b:a', '128k', bare('bare.mp4'))))
    small!.push(await time(whole(client, film, 'mkv', { resolution: '720p' })))
    other!.push(await time(whole(client, long, 'mkv')))
  }
  plainWeb!.push(await time(() => ffmpeg('-i', film, bare('bare.webm'))))
  web!.push(await time(whole(client, film, 'webm')))
  goals.push({ name: 'MP4 to 720p, end to end', unit: 'ms', ours: small!, bare: plainSmall!, atMost: 1.03 })
  const transcodes = await transcode(long, bare('bare.mkv'), time)
  goals.push({ name: 'MP4 to MKV, same codecs, end to end', unit: 'ms', ours: other!, bare: transcodes, atMost: 0.03 })
  goals.push({ name: 'MP4 to WebM, end to end', unit: 'ms', ours: web!, bare: plainWeb!, atMost: 0.25 })
}

/** The time to encode the same video with the program's defaults. */
async function transcode(film: string, target: string, time: Bench['time']): Promise<number[]> {
  const took = await time(() => ffmpeg('-i', film, target))
  return [took, took, took]
}
