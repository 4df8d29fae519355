/** Rehearsals that take seconds: beside a job, and by LibreOffice. */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import t, { type Test } from 'tap'
import { libreoffice } from '../../engines/libreoffice.ts'
import type { Engine } from '../../kernel/contract.ts'
import { flatten } from '../../kernel/kit.ts'
import { folderOf } from '../harness/folder.ts'
import { descendants, stat } from '../harness/processes.ts'
import { startSandboxes } from '../harness/sandboxes.ts'
import { boot, makeServer, runStatements } from './warm-engines.ts'

t.test('a spare that boots beside a job does not rehearse', async (t) => {
  const { sandboxes } = await startSandboxes(t)
  const engine = makeServer(3, { rehearsal: ["done = 'rehearsal'"] })
  await using _other = await sandboxes.open('another', [])
  // Its turn comes after some seconds although there is always a job.
  await boot(sandboxes, engine)
  await using box = await sandboxes.open('one', [engine])
  t.same(await runStatements(box, engine, ['print(done)']), ['nothing'])
})

/** What LibreOffice keeps: its profile, a folder of its own, and caches of libraries. */
const OWN = /^(office|lu.*|\..*)$/

/**
 * Gives a program its rehearsal, twice, outside of any sandbox. Resolves to its answers, and to what is left in its
 * folder.
 */
async function rehearse(t: Test, engine: Engine) {
  const folder = await folderOf(t)
  const env = { ...process.env, ...engine.sandbox?.env, TMPDIR: folder, HOME: folder }
  const [program = '', ...args] = [engine.binary[0]!, ...flatten(engine.warm!.argv)]
  const child = execFile(program, args, { env })
  const offices = new Set<number>()
  const lines: string[] = []
  const left: string[][] = []
  const look = setInterval(() => {
    for (const pid of descendants(child.pid!)) {
      const found = stat(pid)
      // Not what it starts itself, which has its name until it is another program.
      if (found?.name === 'soffice.bin' && !offices.has(found.parent)) offices.add(pid)
    }
  }, 20)
  for await (const line of createInterface({ input: child.stdout! })) {
    if (line !== 'ready') {
      lines.push(line)
      left.push((await readdir(folder)).filter((name) => !OWN.test(name)))
    }
    if (lines.length === 2) child.stdin!.end()
    else child.stdin!.write(`${JSON.stringify(flatten(engine.warm!.rehearsal!))}\n`)
  }
  clearInterval(look)
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return { lines, left, code: child.exitCode, offices: offices.size }
}

t.test('LibreOffice starts once, does its rehearsal without an error, and leaves no file', async (t) => {
  const done = '{"done":true}'
  const { lines, left, code, offices } = await rehearse(t, libreoffice)
  t.same(
    lines.map((line) => line.replaceAll(' ', '')),
    [done, done],
  )
  t.same(left, [[], []])
  t.equal(offices, 1, 'it starts once, although its profile is new')
  t.equal(code, 0)
})
