import { join } from 'node:path'
import type { Test } from 'tap'
import { folderOf } from '../harness/folder.ts'
import { endAt, startAt, startStub } from './program.ts'

/** A service that receives this signal lets a running conversion finish, and ends with 0. */
export async function finishesOn(t: Test, signal: NodeJS.Signals): Promise<void> {
  const dataDir = join(await folderOf(t), 'data')
  const first = startStub(t, dataDir)
  const id = await startAt(await first.ready(), { sleep: 1500 })
  first.kill(signal)
  t.match(await first.ended(), { code: 0, signal: null })
  const second = startStub(t, dataDir)
  t.match(await endAt(await second.ready(), id), { status: 'completed', completedAt: /Z$/ })
  second.kill('SIGTERM')
  const { stdout } = await second.ended()
  t.notMatch(stdout, 'conversions of an earlier start resumed', 'the first had finished it')
}
