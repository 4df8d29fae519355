/** Other users of the machine cannot read the data folder of a service process. */
import { chmodSync, lstatSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { folderOf } from '../harness/folder.ts'
import { below, NOBODY, readableBy, tooOpen } from './permissions.ts'
import { convertAt, startStub } from './program.ts'

const isRoot = process.getuid?.() === 0

t.test('while it converts in a sandbox, and what an earlier version left open', { skip: !isRoot }, async (t) => {
  const folder = await folderOf(t)
  // Others can enter the folder around it, so its content must be closed.
  chmodSync(folder, 0o755)
  const dataDir = join(folder, 'data')
  for (const content of ['secret', 'more']) {
    const service = startStub(t, dataDir, { yaml: 'sandbox: bubblewrap' })
    t.match(await convertAt(await service.ready(), `STUB\n${content}`), content)
    const paths = below(dataDir)
    t.ok(paths.some((path) => path.endsWith('a.stub')) && paths.some((path) => path.endsWith('a.bust')))
    t.strictSame(readableBy(NOBODY, paths), [])
    t.strictSame(tooOpen(paths), [])
    service.kill('SIGKILL')
    await service.ended()
    for (const path of below(dataDir)) chmodSync(path, lstatSync(path).isDirectory() ? 0o755 : 0o644)
    t.ok(
      readableBy(NOBODY, below(dataDir)).some((path) => path.endsWith('athanor.sqlite')),
      'open before the next',
    )
  }
})
