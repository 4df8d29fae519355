/** Unusual variants of archives under the same names: older versions, other file systems, other methods. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { archiveKinds } from '../../fixtures/archive.ts'
import { fixture } from '../../fixtures/samples.ts'
import { withFolder } from '../../harness/folder.ts'
import { verifyArchive } from '../../matrix/archive.ts'
import { studio } from './studio.ts'

const { convert, ...rest } = await studio()
t.teardown(() => rest[Symbol.asyncDispose]())
t.setTimeout(60 * 60_000)

for (const [name, recipe] of Object.entries(archiveKinds))
  t.test(name, async (t) => {
    const source = await fixture(name, recipe)
    for (const to of ['tar', '7z', 'zip'].filter((to) => !name.endsWith(`.${to}`)))
      await withFolder(async (folder) => {
        const path = join(folder, `made.${to}`)
        await writeFile(path, await convert(source.path, name.split('.').at(-1)!, to))
        await t.resolves(verifyArchive(path, to, source), `to ${to}`)
      })
  })
