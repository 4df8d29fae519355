import { createClient } from './client.ts'
import { type Bench, inFlight } from './engines.ts'

const [LANES, JOBS] = [4, 60]

/**
 * Compares PNG to WebP with other servers that already run, such as imgproxy or ipx. `PEERS` lists them as `name=URL`,
 * separated by commas: each URL answers with a WebP of a PNG of one megapixel, made anew for each request. ConvertX has no
 * such interface. Without `PEERS`, says that they were not run.
 */
export async function benchPeers({ client, goals, time }: Bench, picture: string): Promise<void> {
  const peers = (process.env.PEERS ?? '').split(',').filter(Boolean)
  if (peers.length === 0) return console.log('not run: other servers, such as imgproxy and ipx (PEERS=name=URL,…)')
  const { file } = await client.upload(picture)
  const perMinute = (took: number) => (JOBS * 60_000) / took
  for (const peer of peers) {
    const [name, url] = [peer.slice(0, peer.indexOf('=')), new URL(peer.slice(peer.indexOf('=') + 1))]
    const other = createClient(url.origin)
    const path = url.pathname + url.search
    const [ours, theirs]: [number[], number[]] = [[], []]
    for (let round = 0; round < 3; round++) {
      theirs.push(perMinute(await time(() => inFlight(LANES, JOBS, () => other.drain(path)))))
      ours.push(perMinute(await time(() => inFlight(LANES, JOBS, () => client.convert(file.fileId, 'webp')))))
    }
    other.close()
    goals.push({ name: `PNG to WebP against ${name}`, unit: 'jobs/min', ours, bare: theirs })
  }
}
