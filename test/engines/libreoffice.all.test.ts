import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import t from 'tap'
import { libreoffice } from '../../engines/libreoffice.ts'
import { flatten } from '../../kernel/kit.ts'
import { folderOf } from '../harness/folder.ts'
import { descendants, stat } from '../harness/processes.ts'

t.test('LibreOffice starts once, although its profile is new, and ends with its input', async (t) => {
  const folder = await folderOf(t)
  const env = { ...process.env, ...libreoffice.sandbox?.env, TMPDIR: folder, HOME: folder }
  const child = execFile(libreoffice.binary[0]!, flatten(libreoffice.warm!.argv), { env })
  const offices = new Set<number>()
  const timer = setInterval(() => {
    for (const pid of descendants(child.pid!)) {
      const found = stat(pid)
      // Not what it starts itself, which has its name until it is another program.
      if (found?.name === 'soffice.bin' && !offices.has(found.parent)) offices.add(pid)
    }
  }, 20)
  const lines: string[] = []
  for await (const line of createInterface({ input: child.stdout! })) {
    lines.push(line)
    child.stdin!.end()
  }
  clearInterval(timer)
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  t.same(lines, ['ready'])
  t.equal(offices.size, 1)
  t.equal(child.exitCode, 0)
})
