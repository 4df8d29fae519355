import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import t from 'tap'
import { libreoffice } from '../../engines/libreoffice.ts'
import { flatten } from '../../kernel/kit.ts'
import { number, row, worksheets } from '../fixtures/worksheets.ts'
import { folderOf } from '../harness/folder.ts'
import { descendants, stat } from '../harness/processes.ts'

t.test(
  'LibreOffice starts once with a new profile, takes few calls for a wide sheet, and ends with its input',
  async (t) => {
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
    const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]()
    t.equal((await lines.next()).value, 'ready')
    clearInterval(timer)
    t.equal(offices.size, 1)

    const input = join(folder, 'a.xlsx')
    const cells = Array.from({ length: 200 }, (_, column) => number(column * 1e9))
    await writeFile(input, await worksheets({ A: { rows: row(...cells) } }))
    const waits = () =>
      Number(/^voluntary_ctxt_switches:\s*(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1])
    const before = waits()
    const load = { FilterName: 'Calc MS Excel 2007 XML' }
    const store = { FilterName: 'calc_pdf_Export' }
    const task = JSON.stringify({ load, store, service: 'com.sun.star.sheet.SpreadsheetDocument' })
    child.stdin!.write(`${JSON.stringify([input, join(folder, 'a.pdf'), task])}\n`)
    t.equal((await lines.next()).value, '{"done": true}')
    t.ok(waits() - before < 100, `${waits() - before} waits for LibreOffice`)

    child.stdin!.end()
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    t.equal(child.exitCode, 0)
  },
)
