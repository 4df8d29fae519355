import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { execa } from 'execa'
import { sample } from '../test/fixtures/samples.ts'
import type { createClient } from './client.ts'
import type { Goal } from './report.ts'

type Client = ReturnType<typeof createClient>

/** Folder for the measurements of the other categories. */
export interface Bench {
  client: Client
  folder: string
  goals: Goal[]
  time: (run: () => Promise<unknown>) => Promise<number>
}

const ROUNDS = 5

/** ffmpeg, overwriting its output. */
export const ffmpeg = (...args: string[]) => execa('ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args])

/** The command with which the service makes a film of H.264 and AAC in MP4 smaller. It copies the sound. */
export const scaled = (film: string, target: string) =>
  ffmpeg(
    ...['-i', film, '-vf', 'scale=1280:720', '-fps_mode', 'vfr', '-c:v', 'libx264', '-pix_fmt', 'yuv420p'],
    ...['-preset', 'veryfast', '-crf', '23', '-c:a', 'copy', '-movflags', '+faststart', target],
  )

/** Documents, ebooks and video, each compared with its bare program. */
export async function benchEngines(bench: Bench): Promise<void> {
  await benchOffice(bench, 'docx')
  await benchOffice(bench, 'xlsx')
  await benchBook(bench)
  await benchFilms(bench)
}

/** Time from the first byte of the upload to the last byte of the download. */
export const whole =
  (client: Client, source: string, to: string, options?: object, intent?: 'transform') => async () => {
    const { file } = await client.upload(source)
    await client.drain((await client.convert(file.fileId, to, options, intent)).outputUrl)
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

/** Runs jobs, so many at a time. */
export async function inFlight(lanes: number, jobs: number, run: () => Promise<unknown>): Promise<void> {
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

async function benchBook({ client, folder, goals, time }: Bench): Promise<void> {
  const { path } = await sample('epub', 'ebook')
  const [ours, plain]: [number[], number[]] = [[], []]
  await whole(client, path, 'mobi')()
  for (let round = 0; round < ROUNDS; round++) {
    plain.push(await time(() => execa('ebook-convert', [path, join(folder, 'bare.mobi')])))
    ours.push(await time(whole(client, path, 'mobi')))
  }
  goals.push({ name: 'EPUB to MOBI, end to end', unit: 'ms', ours, bare: plain, atMost: 1.03 })
}

async function benchFilms({ client, folder, goals, time }: Bench): Promise<void> {
  const film = join(folder, 'film.mp4')
  const picture = ['-f', 'lavfi', '-i', 'mandelbrot=s=1920x1080:r=25', '-f', 'lavfi', '-i', 'sine=440']
  await ffmpeg(...picture, '-t', '6', '-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', film)
  const bare = (name: string) => join(folder, name)
  const [small, plainSmall, web, plainWeb]: number[][] = [[], [], [], []]
  for (let round = 0; round < 3; round++) {
    plainSmall!.push(await time(() => scaled(film, bare('bare.mp4'))))
    small!.push(await time(whole(client, film, 'mp4', { resolution: '720p' }, 'transform')))
  }
  plainWeb!.push(await time(() => ffmpeg('-i', film, bare('bare.webm'))))
  web!.push(await time(whole(client, film, 'webm')))
  goals.push({ name: 'MP4 to 720p, end to end', unit: 'ms', ours: small!, bare: plainSmall!, atMost: 1.03 })
  goals.push({ name: 'MP4 to WebM, end to end', unit: 'ms', ours: web!, bare: plainWeb!, atMost: 0.25 })
}
