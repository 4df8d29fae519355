import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Test } from 'tap'
import { list, untilFiles, watchedFolders, writeStubs } from './folders.ts'

/** Kills a service at random moments while it converts `count` files of a folder, and looks at what comes of them. */
export async function surviveKills(t: Test, count: number, kills: number): Promise<void> {
  const { from, into, start } = await watchedFolders(t)
  const names = Array.from({ length: count }, (_, at) => `${at}.stub`)
  await writeStubs(from, names)
  const settings = { options: { sleep: 10 } }
  for (let kill = 0, before = 0; kill < kills; kill++) {
    const service = start(settings)
    await service.ready()
    const share = Math.floor(((kill + 1) * count) / (kills + 1))
    await untilFiles(into, Math.max(share, before))
    await delay(Math.random() * 100)
    service.kill('SIGKILL')
    await service.ended()
    before = (await list(into)).length
  }
  const last = start(settings)
  await last.ready()
  await untilFiles(join(from, 'archive'), count)
  t.same(await list(into), names.map((name) => name.replace('stub', 'bust')).sort())
  t.same(await list(join(from, 'archive')), names.toSorted())
  t.same(await list(from), ['archive'])
  for (const name of names) {
    const text = await readFile(join(into, name.replace('stub', 'bust')), 'utf8')
    if (text !== `BUST\n${name}`) t.equal(text, `BUST\n${name}`)
  }
  last.kill('SIGTERM')
  t.equal((await last.ended()).code, 0)
  t.same(await readdir(join(from, '.athanor/claimed')), [], 'nothing is left in progress')
  t.notOk((await readdir(into)).some((name) => name.startsWith('.')))
}
