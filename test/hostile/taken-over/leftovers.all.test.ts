/** What a taken-over converter leaves behind, while and after the service removes it. */
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { leftovers } from '../../harness/installation.ts'
import { until } from '../../harness/until.ts'
import { attack, startAttacked } from './attack.ts'

const { service, dataDir, folder } = await startAttacked(t)

/** A file of root that no engine may change, in a folder that everybody can enter. */
const prey = join(folder, 'prey')
await mkdir(prey)
await writeFile(join(prey, 'victim'), 'precious', { mode: 0o600 })
await chmod(folder, 0o755)
const isSafe = async () => {
  const { mode, uid } = await stat(join(prey, 'victim'))
  const content = await readFile(join(prey, 'victim'), 'utf8')
  return { mode: (mode & 0o7777).toString(8), uid, content, names: await readdir(prey) }
}
const before = await isSafe()

t.test('a warm process that replaces files by links while they are removed', async (t) => {
  // The warm engine refuses the file and continues in its old tree. Then the second engine runs.
  const script = `
if sys.argv[1] == 'serve':
    os.makedirs('/scratch/tree/inner')
    where = os.open('/scratch/tree', os.O_RDONLY)
    def swap():
        number = 0
        while True:
            number += 1
            try:
                os.mkdir(f'd{number}', dir_fd=where)
                for name in (f'd{number}/a', f'd{number}/b', 'c', 'd'):
                    os.close(os.open(name, os.O_CREAT | os.O_WRONLY, 0o6777, dir_fd=where))
                    os.symlink('${prey}/victim', name + 'x', dir_fd=where)
                    os.rename(name + 'x', name, src_dir_fd=where, dst_dir_fd=where)
                os.symlink('${prey}', 'e', dir_fd=where)
                os.rename('e', f'd{number}/c', src_dir_fd=where, dst_dir_fd=where)
            except OSError: pass
    for _ in range(3): background(swap)
    time.sleep(0.5)
    raise ValueError('no')
give('done')
`
  for (let attempt = 0; attempt < 5; attempt++) {
    t.equal((await attack(service, script, 'fallback')).text, 'done')
    await until(async () => (await readdir(join(dataDir, 'work', 'trash'))).length === 0)
    t.strictSame(await isSafe(), before)
  }
})

t.test('children of an engine that has ended', async (t) => {
  const script = `
def swap():
    for number in range(100_000):
        os.symlink('${prey}', f'/scratch/{number}')
daemon(swap)
give('done')
`
  t.equal((await attack(service, script)).text, 'done')
})

t.test('a tree that is closed or deep, or has names that look like options', async (t) => {
  const script = `
os.makedirs('/scratch/closed/inner'); open('/scratch/closed/inner/x', 'w')
os.makedirs('/out/--no-preserve-root/-rf'); os.symlink('${prey}', '/out/link'); os.symlink('/', '/scratch/-R')
os.mkdir('/out/new\\nline'); os.mkdir(b'/out/\\xff\\xfe')
os.chdir('/scratch/closed/inner')
for _ in range(3000): os.mkdir('d'); os.chdir('d')
os.chmod('/scratch/closed/inner', 0); os.chmod('/scratch/closed', 0)
give('done')
os.chmod('/scratch', 0)
`
  for (const to of ['once', 'warm'] as const) {
    // The watchdog may look at the tree meanwhile, and find parts that it cannot measure.
    const { record } = await attack(service, script, to)
    t.match(record.error?.code ?? record.status, /^(completed|RESOURCE_LIMIT)$/)
  }
})

t.test('no files are left, and nothing outside was changed', async (t) => {
  t.equal(await service.end('SIGTERM'), 0)
  t.same(await leftovers(dataDir), [])
  t.strictSame(await isSafe(), before)
})
