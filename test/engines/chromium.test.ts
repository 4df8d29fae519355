/** The program that prints pages, by itself: without the sandbox, and without the policy that is in it. */
import { spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import t, { type Test } from 'tap'
import { program } from '../fixtures/program.ts'
import { folderOf } from '../harness/folder.ts'

const printer = join(import.meta.dirname, '../../engines/programs/chromium/print.ts')
const folder = await folderOf(t)

/** Starts it, with a folder of its own. It ends with the test. */
async function started(t: Test) {
  const child = spawn(process.execPath, [printer], { cwd: folder, stdio: ['pipe', 'pipe', 'ignore'] })
  const ended = new Promise((resolve) => child.once('close', resolve))
  t.teardown(() => {
    child.stdin.end()
    return ended
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const next = async () => String((await lines.next()).value)
  t.equal(await next(), 'ready')
  return {
    pid: child.pid!,
    /** Prints a page. Resolves to the answer. */
    async print(content: string, output: string) {
      const page = `${output}.html`
      await writeFile(page, content)
      child.stdin.write(`${JSON.stringify([page, output])}\n`)
      return JSON.parse(await next())
    },
  }
}

t.test('scripts in sandboxed frames do not run', async (t) => {
  const { print } = await started(t)
  const script = "document.getElementById('a').textContent = 'moved'"
  const frame = `<iframe sandbox="allow-scripts" srcdoc="<p id=a>calm</p><script>${script}</script>"></iframe>`
  const output = join(folder, 'frame.pdf')
  t.same(await print(`<html><body>${frame}</body></html>`, output), { done: true })
  t.match(String(await program('pdftotext', output, '-')), 'calm')
})

t.test('a PDF that can be written only in part is an error', async (t) => {
  const { pid, print } = await started(t)
  await program('prlimit', '--pid', pid, '--fsize=2000')
  const page = `<html><body>${'<p>text</p>'.repeat(900)}</body></html>`
  t.match(await print(page, join(folder, 'part.pdf')), { error: { code: 'RESOURCE_LIMIT' } })
})
