import { mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { sample } from '../test/fixtures/samples.ts'
import { createClient } from './client.ts'
import { type Bench, whole } from './engines.ts'
import { makeMesh } from './mesh.ts'
import { startService } from './service.ts'

/** Starts of the service for each row. */
const ROUNDS = 3

/** A small page of HTML. */
export const page = `<!doctype html><title>Page</title><h1>Page</h1><p>${'A few words. '.repeat(150)}`

/** Maximum milliseconds of a new visitor's first document when spares are ready. */
const MAX_FIRST_DOCUMENT_MS = 400

/**
 * The first job of a service: as soon as the service is ready, and when its spare processes are. The service knows the
 * machine's programs from an earlier start.
 *
 * @param picture Path of a PNG of one megapixel.
 */
export async function benchFirst({ folder, goals, time }: Bench, picture: string): Promise<void> {
  const mesh = join(folder, 'first.obj')
  const html = join(folder, 'first.html')
  await writeFile(mesh, makeMesh(300, 200))
  await writeFile(html, page)
  const rows = [
    { name: 'PNG 1 MP to JPG', source: picture, to: 'jpg' },
    { name: 'DOCX to PDF', source: (await sample('docx')).path, to: 'pdf', atMost: MAX_FIRST_DOCUMENT_MS },
    { name: 'EPUB to MOBI', source: (await sample('epub', 'ebook')).path, to: 'mobi' },
    { name: 'OBJ to GLB', source: mesh, to: 'glb' },
    { name: 'HTML to PDF', source: html, to: 'pdf' },
  ]
  const place = await mkdtemp(join(folder, 'first-'))
  await (await startService(place)).stop()
  for (const { name, source, to, atMost } of rows) {
    for (const spares of [false, true]) {
      const ours: number[] = []
      for (let round = 0; round < ROUNDS; round++) {
        const service = await startService(place)
        const client = createClient(service.base)
        try {
          if (spares) await spared(service.base)
          ours.push(await time(whole(client, source, to)))
        } finally {
          client.close()
          await service.stop()
        }
      }
      const when = spares ? 'when spares are ready' : 'as soon as the service is ready'
      goals.push({ name: `${name}, first job ${when}`, unit: 'ms', ours, ...(spares && atMost && { atMost }) })
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
