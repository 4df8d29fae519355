import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { PartStore, type Reservations } from '../../kernel/files/uploads/resumable/part-store.ts'
import { createPartRecords } from '../../kernel/files/uploads/resumable/records.ts'
import { LIFETIME } from '../../kernel/files/uploads/resumable/resumable.ts'

t.test('an upload that becomes a file while a client asks for it is complete', async (t) => {
  const folder = t.testdir({ owner: {} })
  const records = createPartRecords(folder)
  const id = join('owner', 'upload')
  const path = join(folder, id)
  await records.set(id, { id, size: 4, creation_date: new Date().toISOString() })
  await writeFile(path, 'text')
  let becomes = async () => {}
  const store = new PartStore(
    folder,
    {
      ...records,
      async get(id) {
        const record = await records.get(id)
        await becomes()
        return record
      },
    },
    {} as Reservations,
    LIFETIME,
  )
  t.match(await store.getUpload(id), { offset: 4, size: 4 })
  // As the service does it: first the outcome, then the parts.
  becomes = async () => {
    becomes = async () => {}
    await records.change(id, { outcome: { fileId: 'file' } })
    await rm(path)
  }
  t.match(await store.getUpload(id), { offset: 4, size: 4 })
  t.match(await store.getUpload(id), { offset: 4, size: 4 }, 'and so it stays')
  await records.delete(id)
  await t.rejects(store.getUpload(id), { code: 'NOT_FOUND' })
})
