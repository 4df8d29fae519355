import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { sample } from '../test/fixtures/samples.ts'
import { createClient } from './client.ts'
import { ffmpeg } from './engines.ts'
import { makeMemoryGroup } from './memory-group.ts'
import { makeMesh } from './mesh.ts'
import type { Goal } from './report.ts'
import { startService } from './service.ts'

const GB = 1024 ** 3
const ROUNDS = 2

/**
 * A service with the default settings, on a machine of 2 GB: a control group stands for the machine. Conversions of
 * every category, each by somebody else, all at the same time.
 *
 * @param photo Path of a JPEG of 12 megapixels.
 */
export async function benchMemory(goals: Goal[], folder: string, photo: string): Promise<void> {
  const group = makeMemoryGroup(2 * GB)
  if ('missing' in group) return console.log(`2 GB: not run, because there is no control group: ${group.missing}`)
  const place = await mkdtemp(join(folder, 'small-'))
  const jobs = await jobsIn(place, photo)
  const service = await group.within(() => startService(place))
  const client = createClient(service.base)
  const failed: string[] = []
  try {
    for (let round = 0; round < ROUNDS; round++)
      await Promise.all(
        jobs.map(async ([source, to]) => {
          const own = client.guest()
          try {
            const { file } = await own.upload(source)
            await own.drain((await own.convert(file.fileId, to)).outputUrl)
          } catch (error) {
            failed.push(`${source} to ${to}: ${(error as Error).message}`)
          }
        }),
      )
  } finally {
    client.close()
    await service.stop()
  }
  for (const line of failed) console.log(line)
  const name = `2 GB for the service, ${jobs.length} kinds of conversions at once`
  goals.push({ name: `${name}: failed`, unit: 'conversions', ours: [failed.length], atMost: 0 })
  goals.push({ name: `${name}: killed for lack of memory`, unit: 'processes', ours: [group.kills()], atMost: 0 })
  goals.push({ name: `${name}: peak, cached files included`, unit: 'MB', ours: [group.peak() / 1e6] })
  await rm(place, { recursive: true, force: true })
  group.remove()
}

/** Sources and targets: the heavy ones of each category. */
async function jobsIn(folder: string, photo: string): Promise<[source: string, to: string][]> {
  const [film, page, mesh, zip] = ['film.mp4', 'page.html', 'mesh.obj', 'large.zip'].map((name) =>
    join(folder, name),
  ) as [string, string, string, string]
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=s=1920x1080:r=25', '-f', 'lavfi', '-i', 'sine=440', '-t', '10']
  await ffmpeg(...picture, '-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', film)
  await writeFile(page, `<!doctype html><title>Page</title><h1>Page</h1>${'<p>A few words.'.repeat(5000)}`)
  await writeFile(mesh, makeMesh(600, 400))
  await execa('bsdtar', ['-a', '-cf', zip, '-C', folder, 'film.mp4', 'mesh.obj'])
  const made = async (format: string, to: string, category = '') =>
    [(await sample(format, category)).path, to] as [string, string]
  return [
    ...(await Promise.all([
      made('docx', 'pdf'),
      made('xlsx', 'pdf'),
      made('pptx', 'pdf'),
      made('epub', 'mobi', 'ebook'),
      made('pdf', 'docx'),
      made('step', 'glb'),
      made('wav', 'mp3'),
    ])),
    [page, 'pdf'],
    [film, 'webm'],
    [film, 'mkv'],
    [mesh, 'glb'],
    [photo, 'avif'],
    [photo, 'webp'],
    [photo, 'png'],
    [zip, 'tar.gz'],
    [zip, '7z'],
  ]
}
