/** Other users of the machine cannot read the data folder. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { closeToOthers } from '../../kernel/start/close.ts'
import { startStub } from './program.ts'

const isRoot = process.getuid?.() === 0
/** A user unrelated to the service. */
const NOBODY = 65534

function newFolder(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), 'athanor-closed-'))
  // Others can enter the folder, so its content must be closed.
  chmodSync(folder, 0o755)
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'data')
}

/** Everything below a folder; links are not followed. The service may be removing folders of ended jobs. */
function below(path: string): string[] {
  try {
    const names = lstatSync(path).isDirectory() ? readdirSync(path) : []
    return [path, ...names.flatMap((name) => below(join(path, name)))]
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return []
  }
}

/** Paths that a user can list or read. */
function readableBy(uid: number, paths: readonly string[]): string[] {
  const script =
    'while IFS= read -r p; do if [ -d "$p" ]; then ls "$p" && echo "$p"; else cat "$p" && echo "$p"; fi; done'
  const { stdout } = spawnSync('setpriv', [`--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', 'sh', '-c', script], {
    input: `${paths.join('\n')}\n`,
    encoding: 'utf8',
  })
  return stdout.split('\n').filter(Boolean)
}

/** Files and folders that are too open. Allowed: files 0600 or, for the engines' user, 0640; folders 0700, 0710 or 0711. */
const tooOpen = (paths: readonly string[]) =>
  paths
    .map((path) => ({ path, stats: lstatSync(path, { throwIfNoEntry: false }) }))
    .filter(({ stats }) => stats && (stats.mode & (stats.isDirectory() ? 0o066 : 0o137)) !== 0)
    .map(({ path, stats }) => `${path} ${(stats!.mode & 0o7777).toString(8)}`)

/** Uploads a stub, converts it and downloads the result; resolves to its text. */
async function convert(base: string, content: string): Promise<string> {
  const form = new FormData()
  form.append('file', new Blob([content]), 'a.stub')
  const { file } = (await (await fetch(`${base}/api/uploads`, { method: 'POST', body: form })).json()) as any
  const started = await fetch(`${base}/api/conversions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ fileId: file.fileId, toFormat: 'bust' }),
  })
  const { conversionId } = (await started.json()) as any
  const { conversion } = (await (await fetch(`${base}/api/conversions/${conversionId}?wait=30`)).json()) as any
  t.equal(conversion.status, 'completed', JSON.stringify(conversion.error))
  return (await fetch(conversion.outputUrl)).text()
}

for (const sandbox of ['none', 'bubblewrap']) {
  t.test(`while it runs and converts, sandbox: ${sandbox}`, { skip: !isRoot }, async (t) => {
    const dataDir = newFolder(t)
    const service = startStub(t, dataDir, { yaml: `sandbox: ${sandbox}` })
    const base = await service.ready()
    t.match(await convert(base, 'STUB\nsecret'), 'secret')
    const paths = below(dataDir)
    t.ok(paths.some((path) => path.endsWith('a.stub')) && paths.some((path) => path.endsWith('a.bust')))
    t.ok(paths.some((path) => path.endsWith('athanor.sqlite-wal')))
    t.strictSame(readableBy(NOBODY, paths), [])
    t.strictSame(tooOpen(paths), [])
  })
}

t.test(
  'files with open permissions from an earlier version are closed at startup, and still served',
  { skip: !isRoot },
  async (t) => {
    const dataDir = newFolder(t)
    const first = startStub(t, dataDir)
    await convert(await first.ready(), 'STUB\nsecret')
    first.kill('SIGKILL')
    await first.ended()
    for (const path of below(dataDir)) chmodSync(path, lstatSync(path).isDirectory() ? 0o755 : 0o644)
    t.ok(
      readableBy(NOBODY, below(dataDir)).some((path) => path.endsWith('athanor.sqlite')),
      'open before',
    )

    const second = startStub(t, dataDir)
    t.match(await convert(await second.ready(), 'STUB\nmore'), 'more')
    t.strictSame(readableBy(NOBODY, below(dataDir)), [])
    t.strictSame(tooOpen(below(dataDir)), [])
  },
)

t.test('folders that an administrator’s command removes meanwhile do not fail a start', async (t) => {
  const dataDir = newFolder(t)
  mkdirSync(dataDir)
  const churn = `for (;;) {
    fs.mkdirSync('doctor-a/inner', { recursive: true })
    fs.writeFileSync('doctor-a/file', '')
    fs.rmSync('doctor-a', { recursive: true })
  }`
  const command = spawn(process.execPath, ['-e', churn], { cwd: dataDir, stdio: 'ignore' })
  t.teardown(() => {
    const ended = once(command, 'close')
    command.kill('SIGKILL')
    return ended
  })
  for (const until = performance.now() + 1500; performance.now() < until; ) closeToOthers(dataDir, undefined)
  t.pass()
})

t.test('other files in the folder are not touched', async (t) => {
  const dataDir = newFolder(t)
  mkdirSync(join(dataDir, 'theirs'), { recursive: true, mode: 0o755 })
  writeFileSync(join(dataDir, 'theirs/page.html'), '', { mode: 0o644 })
  chmodSync(dataDir, 0o755)
  await startStub(t, dataDir).ready()
  const mode = (name: string) => lstatSync(join(dataDir, name)).mode & 0o777
  t.strictSame([mode('.'), mode('theirs'), mode('theirs/page.html')], [0o755, 0o755, 0o644])
  const own = below(dataDir).filter((path) => path !== dataDir && !path.includes('theirs'))
  t.strictSame(tooOpen(own), [])
})
