import { setTimeout as delay } from 'node:timers/promises'
import { execa } from 'execa'
import { createDownloadTokens } from '../kernel/people/download-tokens.ts'
import { guestOwner } from '../kernel/people/owner.ts'
import type { createClient } from './client.ts'
import type { Goal } from './report.ts'
import { SECRET, type startService } from './service.ts'

type Client = ReturnType<typeof createClient>

/**
 * Measures an upload and a download of a large file, and the memory of the kernel meanwhile. The bare sink parses the
 * same form with busboy and writes the file; the other one writes a body that is the file. For figures that do not
 * depend on the disk, run it with `TMPDIR=/dev/shm`.
 */
export async function benchTransfer({
  client,
  bareClient,
  service,
  goals,
  time,
  big,
  size,
  rounds,
}: {
  client: Client
  bareClient: Client
  service: Awaited<ReturnType<typeof startService>>
  goals: Goal[]
  time: (run: () => Promise<unknown>) => Promise<number>
  /** Path of the file, and its bytes. */
  big: string
  size: number
  rounds: number
}): Promise<void> {
  // Guests can download only with a token. This one is for the upload.
  const tokens = createDownloadTokens([SECRET], 600_000)
  const speed = async (run: () => Promise<unknown>) => size / 1e6 / ((await time(run)) / 1000)
  const pathOf = (id: string) => `/api/files/${encodeURIComponent(id)}`
  const idle = await service.memory()
  const peak = { memory: 0, resident: 0 }
  async function watched<T>(run: () => Promise<T>): Promise<T> {
    const watch = setInterval(async () => {
      peak.memory = Math.max(peak.memory, await service.memory())
      peak.resident = Math.max(peak.resident, await service.resident())
    }, 50)
    return await run().finally(() => clearInterval(watch))
  }

  const [up, bareForm, barePipe, down, bareSource]: [number[], number[], number[], number[], number[]] = [
    ...([[], [], []] as [number[], number[], number[]]),
    ...([[], []] as [number[], number[]]),
  ]
  let fileId = ''
  for (let round = 0; round < rounds; round++) {
    // Otherwise this one would wait for the disk writes of the other one.
    await execa('sync')
    barePipe.push(await speed(() => bareClient.pipe(big, '/sink')))
    await execa('sync')
    bareForm.push(await speed(() => bareClient.upload(big, '/form')))
    await execa('sync')
    if (fileId) await client.drain(pathOf(fileId), 'DELETE')
    up.push(
      await watched(() =>
        speed(async () => {
          fileId = (await client.upload(big)).file.fileId
        }),
      ),
    )
  }
  await execa('sync')
  const token = await tokens.sign(guestOwner('127.0.0.1', undefined).id, fileId)
  for (let round = 0; round < rounds; round++) {
    bareSource.push(await speed(() => bareClient.drain('/source')))
    down.push(await speed(() => client.drain(`${pathOf(fileId)}/download?token=${token}`)))
  }
  await delay(5000)
  goals.push({ name: 'upload, beside busboy and a file', unit: 'MB/s', ours: up, bare: bareForm, atLeast: 0.85 })
  goals.push({ name: 'upload, beside a body that is the file', unit: 'MB/s', ours: up, bare: barePipe })
  goals.push({ name: 'download', unit: 'MB/s', ours: down, bare: bareSource, atLeast: 0.9 })
  goals.push({ name: 'memory during the upload', unit: 'MB', ours: [peak.memory], atMost: 120 })
  goals.push({ name: 'resident memory during the upload', unit: 'MB', ours: [peak.resident] })
  goals.push({ name: 'memory after it, over idle', unit: 'MB', ours: [(await service.memory()) - idle], atMost: 60 })
}
