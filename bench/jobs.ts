import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { type Bench, ffmpeg, inFlight, scaled, whole } from './engines.ts'
import { benchFirst, page } from './first.ts'
import { makeMesh } from './mesh.ts'

const ROUNDS = 5
/** Milliseconds that the sandbox and the service may add to a job. */
const ALLOWED = 80
/** Jobs of one measurement of throughput. */
const JOBS = 12

/** Keys of what has no such row, and needs none of their sources. */
const OTHERS = ['page', 'first']

interface Row {
  /** Short name, to run it alone. */
  key: string
  name: string
  source: string
  to: string
  options?: object
  /** If the target is the format of the source. */
  intent?: 'transform'
  /**
   * The bare program, with the same settings. Each run writes a file of its own, as each job does: to overwrite one
   * that is still in memory takes half the processor time.
   */
  bare: (n: number) => Promise<unknown>
  /** Whether the upload and the download count. They have rows of their own, and outweigh a copy of streams. */
  transfers: boolean
  /**
   * Heavy jobs run one after another on two cores, so their throughput is one divided by their time. They are so long
   * that nothing is subtracted for what the service adds.
   */
  heavy?: boolean
}

/**
 * Jobs that are one run of a program, compared with that program: what the service adds, and what throughput is left.
 *
 * @param picture Path of a PNG of one megapixel.
 * @param only Which ones: keys of the rows, `page` and `first`. Empty: all, which takes a quarter of an hour.
 */
export async function benchJobs(bench: Bench, picture: string, only: readonly string[]): Promise<void> {
  const { client, folder, goals, time } = bench
  const wanted = (key: string) => only.length === 0 || only.includes(key)
  const rows = only.length > 0 && only.every((key) => OTHERS.includes(key)) ? [] : await rowsIn(folder)
  for (const row of rows.filter(({ key }) => wanted(key))) {
    const { name, source, to, options, intent, bare, transfers, heavy } = row
    const { file } = await client.upload(source)
    let runs = 0
    const barely = () => bare(runs++)
    const convert = () => client.convert(file.fileId, to, options, intent)
    const job = transfers ? whole(client, source, to, options, intent) : convert
    const [ours, plain, all, plainAll]: [number[], number[], number[], number[]] = [[], [], [], []]
    await job()
    for (let round = 0; round < ROUNDS; round++) {
      plain.push(await time(barely))
      ours.push(await time(job))
    }
    const what = `${name}, ${transfers ? 'end to end' : 'without transfers'}`
    const less = heavy ? 0 : ALLOWED
    const counted = ours.map((took) => took - less)
    goals.push({ name: less ? `${what}, less ${less} ms` : what, unit: 'ms', ours: counted, bare: plain, atMost: 1.03 })
    goals.push({ name: `${what}, added to the program`, unit: 'ms', ours: ours.map((took, n) => took - plain[n]!) })
    if (heavy) continue
    for (let round = 0; round < 2; round++) {
      plainAll.push(perMinute(await time(() => inFlight(2, JOBS, barely))))
      all.push(perMinute(await time(() => inFlight(4, JOBS, convert))))
    }
    goals.push({ name: `${name}, four in flight`, unit: 'jobs/min', ours: all, bare: plainAll, atLeast: 0.93 })
  }
  if (wanted('page')) await benchPage(bench)
  if (wanted('first')) await benchFirst(bench, picture)
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
  return [
    {
      key: '720p',
      name: 'MP4 to 720p',
      source: film,
      to: 'mp4',
      options: { resolution: '720p' },
      intent: 'transform',
      transfers: false,
      heavy: true,
      bare: (n) => scaled(film, path(`bare-${n}.mp4`)),
    },
    {
      key: 'mp3',
      name: 'WAV to MP3',
      source: wav,
      to: 'mp3',
      transfers: true,
      bare: (n) => ffmpeg('-i', wav, '-b:a', '192k', path(`bare-${n}.mp3`)),
    },
    {
      key: 'glb',
      name: 'OBJ to GLB',
      source: obj,
      to: 'glb',
      transfers: true,
      bare: (n) => execa('assimp', ['export', obj, path(`bare-${n}.glb`), '-fglb2', '-tri']),
    },
    {
      key: 'tgz',
      name: 'ZIP to TGZ',
      source: zip,
      to: 'tar.gz',
      transfers: true,
      bare: (n) => execa('bsdtar', ['-czf', path(`bare-${n}.tgz`), `@${zip}`]),
    },
    {
      key: 'mkv',
      name: 'MP4 to MKV, same codecs',
      source: film,
      to: 'mkv',
      transfers: false,
      bare: (n) => ffmpeg('-i', film, '-c', 'copy', path(`bare-${n}.mkv`)),
    },
    {
      key: 'png',
      name: 'Page of a PDF to PNG',
      source: pdf,
      to: 'png',
      transfers: true,
      bare: (n) => execa('pdftoppm', ['-png', '-r', '150', '-singlefile', pdf, path(`bare-${n}`)]),
    },
  ]
}

const browser = (source: string, target: string) =>
  execa('/usr/lib/chromium/chromium', [
    '--headless=new',
    '--no-sandbox',
    '--disable-gpu',
    `--print-to-pdf=${target}`,
    '--no-pdf-header-footer',
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
