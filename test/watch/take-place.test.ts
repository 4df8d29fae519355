/** How a file gets a name that is free. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { takePlace } from '../../kernel/watch/take-place.ts'
import { folderOf } from '../harness/folder.ts'

t.test('names of the longest length get a number, whichever part of them is long', async (t) => {
  const folder = await folderOf(t)
  const place = join(folder, 'place')
  await mkdir(place)
  for (const name of [`a.${'x'.repeat(253)}`, `.${'x'.repeat(254)}`, `${'ä'.repeat(125)}a.pdf`, `${'x'.repeat(253)}.a`])
    for (const text of ['first', 'second', 'third']) {
      await writeFile(join(folder, name), text)
      const given = await takePlace(join(folder, name), place, name)
      t.ok(Buffer.byteLength(given) <= 255)
      t.equal(await readFile(join(place, given), 'utf8'), text)
    }
  t.equal((await readdir(place)).length, 12)
  t.same(await readdir(folder), ['place'], 'all have moved')
})
