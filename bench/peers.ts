import { sample } from '../test/fixtures/samples.ts'
import { createClient } from './client.ts'
import { convertx } from './convertx.ts'
import { type Bench, inFlight, whole } from './engines.ts'

const ROUNDS = 3
/**
 * Jobs of a round, and how many of them at the same time. ConvertX loses documents that it converts at the same time.
 */
const PICTURES = { jobs: 60, lanes: 4 }
const DOCUMENTS = { jobs: 6, lanes: 1 }

/**
 * Compares with other servers that already run. `PEERS` lists them as `name=URL`, separated by commas:
 *
 * - `convertx=URL`: a ConvertX, see `convertx.ts`. Both sides upload, convert and download, each job for a new visitor.
 * - any other name, such as ipx or imgproxy: the URL answers with a WebP of a PNG of one megapixel, made anew for each
 *   request.
 *
 * Without `PEERS`, says that they were not run.
 */
export async function benchPeers(bench: Bench, picture: string): Promise<void> {
  const peers = (process.env.PEERS ?? '').split(',').filter(Boolean)
  if (peers.length === 0) return console.log('not run: other servers, such as ConvertX and ipx (PEERS=name=URL,…)')
  for (const peer of peers) {
    const name = peer.slice(0, peer.indexOf('='))
    const url = peer.slice(peer.indexOf('=') + 1)
    if (name === 'convertx') await besideConvertX(bench, url, picture)
    else await besidePictureServer(bench, name, new URL(url), picture)
  }
}

async function besidePictureServer({ client, goals, time }: Bench, name: string, url: URL, picture: string) {
  const { file } = await client.upload(picture)
  const other = createClient(url.origin)
  const path = url.pathname + url.search
  await compare(goals, time, `PNG to WebP against ${name}`, PICTURES, {
    theirs: () => other.drain(path),
    ours: () => client.convert(file.fileId, 'webp'),
  })
  other.close()
}

async function besideConvertX({ client, goals, time }: Bench, url: string, picture: string): Promise<void> {
  const { path } = await sample('docx')
  const rows = [
    ['PNG 1 MP to JPG', picture, 'jpg', 'vips', PICTURES],
    ['PNG 1 MP to WebP', picture, 'webp', 'vips', PICTURES],
    ['DOCX to PDF', path, 'pdf', 'libreoffice', DOCUMENTS],
  ] as const
  for (const [name, source, to, converter, load] of rows) {
    const theirs = convertx(url, converter)
    await compare(goals, time, `${name} against ConvertX, whole jobs of new visitors, ${load.lanes} in flight`, load, {
      theirs: () => theirs(source, to),
      ours: () => whole(client.guest(), source, to)(),
    })
  }
}

/** Measures jobs a minute of both in turn. The first job of each is not counted. */
async function compare(
  goals: Bench['goals'],
  time: Bench['time'],
  name: string,
  { jobs, lanes }: { jobs: number; lanes: number },
  { theirs, ours }: Record<'theirs' | 'ours', () => Promise<unknown>>,
): Promise<void> {
  const rate = async (run: () => Promise<unknown>) => (jobs * 60_000) / (await time(() => inFlight(lanes, jobs, run)))
  const [other, own]: [number[], number[]] = [[], []]
  await theirs()
  await ours()
  for (let round = 0; round < ROUNDS; round++) {
    other.push(await rate(theirs))
    own.push(await rate(ours))
  }
  goals.push({ name, unit: 'jobs/min', ours: own, bare: other })
}
