/** A document of many pages as pictures of the slowest encoder: memory does not grow with all pages at once. */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { program } from '../../fixtures/program.ts'
import { withFolder } from '../../harness/folder.ts'
import { studio } from '../../harness/studio.ts'

const PAGES = 54
const FEW = 6
/** Together still beyond the size from which pages are encoded faster. */
const WIDTH = 640
/** Bytes of memory that all pages may take more than a few. */
const MORE = 400 * 2 ** 20

t.setTimeout(60 * 60_000)

/** Resident bytes of all processes below this one. */
async function resident(): Promise<number> {
  const told = async (pid: string) => {
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
    const number = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0)
    return { pid: Number(pid), parent: number('PPid'), bytes: number('VmRSS') * 1024 }
  }
  const all = await Promise.all((await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(told))
  const below = (parent: number): number =>
    all.filter((one) => one.parent === parent).reduce((sum, { pid, bytes }) => sum + bytes + below(pid), 0)
  return below(process.pid)
}

/** Runs something, and returns the most memory that it took. */
async function measured<Result>(run: Promise<Result>) {
  let peak = 0
  let due = true
  void run.catch(() => {}).finally(() => (due = false))
  while (due) {
    peak = Math.max(peak, await resident())
    await Promise.race([delay(100), run.catch(() => {})])
  }
  return { result: await run, peak }
}

/** A document of A4 pages with text and a shaded picture, by Ghostscript. */
const document = (pages: number) =>
  withFolder(async (folder) => {
    const text = 'The quick brown fox. '.repeat(4)
    const lines = Array.from({ length: 40 }, (_, row) => `60 ${780 - row * 18} moveto (${text}) show`)
    const page = `/Times-Roman findfont 11 scalefont setfont ${lines.join(' ')}
20 1 200 { dup 200 div 0.4 0.6 setrgbcolor 60 add 40 1 20 rectfill } for showpage`
    await writeFile(`${folder}/in.ps`, `%!PS\n<</PageSize[595 842]>>setpagedevice\n${`${page}\n`.repeat(pages)}`)
    await program('gs', '-q', '-dSAFER', '-sDEVICE=pdfwrite', '-o', `${folder}/out.pdf`, `${folder}/in.ps`)
    return readFile(`${folder}/out.pdf`)
  })

t.test(`${PAGES} pages to avif`, async (t) => {
  await using machine = await studio()
  const convert = async (pages: number) => {
    const pdf = await document(pages)
    return measured(machine.convert(pdf, 'pdf>avif', { maxWidth: WIDTH }, { signal: AbortSignal.timeout(3_000_000) }))
  }
  const few = await convert(FEW)
  const { result, peak } = await convert(PAGES)
  t.ok(result.paged)
  t.equal(result.bytes.readUInt16LE(result.bytes.lastIndexOf('PK\x05\x06') + 10), PAGES, 'a file of each page')
  t.ok(few.peak > 0)
  t.ok(peak < few.peak + MORE, `${Math.round(peak / 2 ** 20)} MB; ${FEW} pages ${Math.round(few.peak / 2 ** 20)} MB`)
})
