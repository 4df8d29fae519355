/** `files stray` in a shared folder, and in a bucket, below a prefix. */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import t from 'tap'
import { folderOf } from '../harness/folder.ts'
import { environmentOf, startObjectStore } from '../harness/servers/object-store.ts'
import { startService } from '../harness/service.ts'
import { FOREIGN, findsStrays, STRAYS } from './stray-files.ts'

const store = await startObjectStore()
t.teardown(() => store[Symbol.asyncDispose]())

t.test('a shared folder', async (t) => {
  const share = await folderOf(t)
  const env = { STORAGE_URL: `file://${share}` }
  await using service = await startService({ env })
  await findsStrays(t, service, env, async (key) => {
    await mkdir(dirname(join(share, 'files', key)), { recursive: true })
    await writeFile(join(share, 'files', key), 'content')
  })
})

t.test('a bucket, below a prefix', async (t) => {
  await store.send('PUT', '/stray')
  const { STORAGE_URL, ...keys } = environmentOf(store, 'stray')
  const env = { ...keys, STORAGE_URL: STORAGE_URL!.replace('/stray?', '/stray/some/where?') } as Record<string, string>
  const outside = [STRAYS[0]!, `some/${STRAYS[1]}`]
  for (const key of outside) await store.send('PUT', `/stray/${key}`, 'content')
  // The storage reads its keys from the environment of the process.
  Object.assign(process.env, env)
  await using service = await startService({ env })
  await findsStrays(t, service, env, (key) => store.send('PUT', `/stray/some/where/${key}`, 'content'))
  const { stored } = await store.list('stray')
  for (const key of [...outside, ...FOREIGN.map((key) => `some/where/${key}`)]) t.ok(stored.includes(key), key)
})
