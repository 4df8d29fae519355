import { mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { execa } from 'execa'
import { createClient } from './client.ts'
import { type Bench, ffmpeg, inFlight, whole } from './engines.ts'
import { makeMesh } from './mesh.ts'
import { startService } from './service.ts'

const ROUNDS = 5
/** Starts of the service for each row of the first job. */
const FIRST_ROUNDS = 3
/** Milliseconds that the sandbox and the service may add to a job. */
const ALLOWED = 80
/** Jobs of one measurement of throughput. */
const JOBS = 12

const page = `<!doctype html><title>Page</title><h1>Page</h1><p>${'A few words. '.repeat(150)}`

interface Row {
  /** Short name, to run it alone. */
  key: string
  name: string
  source: string
  to: string
  options?: object
  /**
   * The bare program, with the same settings. Each run writes a file of its own, as each job does: to overwrite one that is
   * still in memory takes half the processor time.
   */
  bare: (n: number) => Promise<unknown>
  /** Whether the upload and the download count. They have rows of their own, and outweigh a copy of streams. */
  transfers: boolean
  /** Heavy jobs run one after another on two cores, so their throughput is one divided by their time. */
  heavy?: boolean
}

/**
 * Jobs that are one run of a program, compared with that program: what the service adds, and what throughput is left.
 *
 * @param only Which ones: keys of the rows, `page` and `first`. Empty: all, which takes a quarter of an hour.
 */
export async function benchJobs(bench: Bench, only: readonly string[]): Promise<void> {
  const { client, folder, goals, time } = bench
  const wanted = (key: string) => only.length === 0 || only.includes(key)
  for (const row of (await rowsIn(folder)).filter(({ key }) => wanted(key))) {
    const { name, source, to, options, bare, transfers, heavy } = row
    const { file } = await client.upload(source)
    let runs = 0
    const barely = () => bare(runs++)
    const job = transfers ? whole(client, source, to, options) : () => client.convert(file.fileId, to, options)
    const [ours, plain, all, plainAll]: [number[], number[], number[], number[]] = [[], [], [], []]
    await job()
    for (let round = 0; round < (heavy ? 3 : ROUNDS); round++) {
      plain.push(await time(barely))
      ours.push((await time(job)) - ALLOWED)
    }
    const what = transfers ? 'end to end' : 'without transfers'
    goals.push({ name: `${name}, ${what}, less ${ALLOWED} ms`, unit: 'ms', ours, bare: plain, atMost: 1.03 })
    if (heavy) continue
    for (let round = 0; round < 2; round++) {
      plainAll.push(perMinute(await time(() => inFlight(2, JOBS, barely))))
      all.push(perMinute(await time(() => inFlight(4, JOBS, () => client.convert(file.fileId, to, options)))))
    }
    goals.push({ name: `${name}, four in flight`, unit: 'jobs/min', ours: all, bare: plainAll, atLeast: 0.93 })
  }
  if (wanted('page')) await benchPage(bench)
  if (wanted('first')) await benchFirst(bench)
}

const perMinute = (took: number) => (JOBS * 60_000) / took

async function rowsIn(folder: string): Promise<Row[]> {
  const path = (name: string) => join(folder, name)
  const [wav, obj, zip, film] = ['tones.wav', 'torus.obj', 'many.zip', 'copied.mp4'].map(path) as [
    string,
    string,
    string,
    string,
  ]
  await ffmpeg('-f', 'lavfi', '-i', 'sine=440:r=44100:d=120', '-ac', '2', wav)
  await writeFile(obj, makeMesh(300, 200))
  await execa('bsdtar', ['-a', '-cf', zip, '-C', folder, 'tones.wav', 'torus.obj'])
  const picture = ['-f', 'lavfi', '-i', 'mandelbrot=s=1920x1080:r=25', '-f', 'lavfi', '-i', 'sine=440', '-t', '30']
  await ffmpeg(...picture, '-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', film)
  const pdf = path('one.pdf')
  await writeFile(path('one.html'), page)
  await browser(path('one.html'), pdf)
  const scaled = ['-i', film, '-vf', 'scale=1280:720', '-c:v', 'libx264', '-preset', 'veryfast', '-crf', '23']
  return [
    {
      ...{ key: '720p', name: 'MP4 to 720p', source: film, to: 'mkv', options: { resolution: '720p' } },
      ...{ transfers: false, heavy: true },
      bare: (n) => ffmpeg(...scaled, '-c:a', 'aac', '-b:a', '128k', path(`bare-${n}.mkv`)),
    },
    {
      ...{ key: 'mp3', name: 'WAV to MP3', source: wav, to: 'mp3', transfers: true },
      bare: (n) => ffmpeg('-i', wav, '-b:a', '192k', path(`bare-${n}.mp3`)),
    },
    {
      ...{ key: 'glb', name: 'OBJ to GLB', source: obj, to: 'glb', transfers: true },
      bare: (n) => execa('assimp', ['export', obj, path(`bare-${n}.glb`), '-fglb2', '-tri']),
    },
    {
      ...{ key: 'tgz', name: 'ZIP to TGZ', source: zip, to: 'tar.gz', transfers: true },
      bare: (n) => execa('bsdtar', ['-czf', path(`bare-${n}.tgz`), `@${zip}`]),
    },
    {
      ...{ key: 'mkv', name: 'MP4 to MKV, same codecs', source: film, to: 'mkv', transfers: false },
      bare: (n) => ffmpeg('-i', film, '-c', 'copy', path(`bare-${n}.mkv`)),
    },
    {
      ...{ key: 'png', name: 'Page of a PDF to PNG', source: pdf, to: 'png', transfers: true },
      bare: (n) => execa('pdftoppm', ['-png', '-r', '150', '-singlefile', pdf, path(`bare-${n}`)]),
    },
  ]
}

const browser = (source: string, target: string) =>
  execa('/usr/lib/chromium/chromium', [
    ...['--headless=new', '--no-sandbox', '--disable-gpu', `--print-to-pdf=${target}`, '--no-pdf-header-footer'],
    `file://${source}`,
  ])

/** A small page to PDF: against a limit, and against a browser that is started for it. */
async function benchPage({ client, folder, goals, time }: Bench): Promise<void> {
  const source = join(folder, 'small.html')
  await writeFile(source, page)
  const [ours, plain]: [number[], number[]] = [[], []]
  await whole(client, source, 'pdf')()
  for (let round = 0; round < ROUNDS; round++) {
    plain.push(await time(() => browser(source, join(folder, 'bare.pdf'))))
    ours.push(await time(whole(client, source, 'pdf')))
  }
  goals.push({ name: 'HTML to PDF, end to end', unit: 'ms', ours, atMost: 300 })
  goals.push({ name: 'HTML to PDF, end to end against a cold browser', unit: 'ms', ours, bare: plain, atMost: 0.35 })
}

/**
 * The first job of a service against its tenth: as soon as the service is ready, and when its spare processes are. The
 * service knows the machine's programs from an earlier start.
 */
async function benchFirst({ folder, goals, time }: Bench): Promise<void> {
  const rows = [
    ['OBJ to GLB', 'torus.obj', 'glb'],
    ['HTML to PDF', 'small.html', 'pdf'],
  ] as const
  await writeFile(join(folder, 'small.html'), page)
  const place = await mkdtemp(join(folder, 'first-'))
  await (await startService(place)).stop()
  for (const [name, source, to] of rows) {
    for (const spares of [false, true]) {
      const [first, tenth]: [number[], number[]] = [[], []]
      for (let round = 0; round < FIRST_ROUNDS; round++) {
        const service = await startService(place)
        const client = createClient(service.base)
        try {
          if (spares) await spared(service.base)
          const took: number[] = []
          for (let job = 0; job < 10; job++) took.push(await time(whole(client, join(folder, source), to)))
          first.push(took[0]!)
          tenth.push(took[9]!)
        } finally {
          client.close()
          await service.stop()
        }
      }
      const when = spares ? 'when spares are ready' : 'as soon as the service is ready'
      goals.push({ name: `${name}, first job ${when}`, unit: 'ms', ours: first, bare: tenth, atMost: 1.2 })
    }
  }
}

/** Resolves when each warm engine has a spare, and a second later, when the service is at rest. */
async function spared(base: string): Promise<void> {
  const ready = /^athanor_warm_processes\{engine="[^"]+",state="ready"\} (\d+)$/gm
  for (;;) {
    const counts = [...(await (await fetch(`${base}/metrics`)).text()).matchAll(ready)].map(([, count]) => count)
    if (counts.length > 0 && !counts.includes('0')) return delay(1000)
    await delay(50)
  }
}
