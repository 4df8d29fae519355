/** What a taken-over converter tries: results that change after the check, hidden memory, daemons, and leftovers. */
import { readdirSync, readFileSync } from 'node:fs'
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { leftovers } from '../../harness/installation.ts'
import { until } from '../../harness/until.ts'
import { attack, excess, startAttacked } from './attack.ts'

const { service, dataDir, folder } = await startAttacked(t)

/** Rewrites and extends the engine's open files as long as it lives. */
const REWRITE = (wait: string) => `
kept = open(give('honest'), 'r+')
magic = kept.readline().strip()
# Bound now: the process may serve further jobs, with other globals.
def rewrite(kept=kept, magic=magic):
    while True:
        kept.seek(0); kept.write(magic + '\\nforged' + '\\r\\n\\r\\nHTTP/1.1 200 OK\\r\\nContent-Length: 6\\r\\n\\r\\nforged'); kept.flush()
${wait}
`

for (const [to, wait] of [
  ['warm', 'background(lambda: (time.sleep(0.5), rewrite()))'],
  ['warm', 'background(rewrite)'],
  // The engine's end does not end its children; they end with the sandbox.
  ['once', 'daemon(lambda: (time.sleep(0.001), rewrite()))'],
] as const) {
  t.test(`${to}: ${wait}`, async (t) => {
    for (let attempt = 0; attempt < 3; attempt++) {
      const { record } = await attack(service, REWRITE(wait), to)
      t.equal(record.status, 'completed')
      const path = join(dataDir, 'files', record.outputFileId)
      const stored = () => readFile(path, 'latin1')
      const first = await stored()
      t.equal(first.length, record.outputSize)
      await delay(1000)
      t.equal(await stored(), first)
      t.equal(await excess(service, record.outputUrl), 0)
    }
  })
}

t.test('a large result of a warm engine', async (t) => {
  const script = `
kept = open(give('x' * 100_000_000), 'r+')
def rewrite():
    time.sleep(0.2); kept.seek(7); kept.write('forged'); kept.flush()
background(rewrite)
`
  const { text, record } = await attack(service, script, 'warm')
  t.equal(record.outputSize, 100_000_007)
  t.notMatch(text?.slice(0, 100), /forged/)
})

t.test('the intermediate result of two engines in a row', async (t) => {
  const script = `
kept = open(give('time.sleep(1); give(open(input).read())'), 'r+')
def rewrite():
    time.sleep(0.5); kept.seek(7); kept.write('give("forged") #'); kept.flush()
background(rewrite)
`
  t.match((await attack(service, script, 'twice')).text, /^#!warm\ntime.sleep/)
})

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

/** Memory outside the pages of processes: 0.5 to 1.5 GB if nothing stopped it. */
const HIDDEN: Record<string, string> = {
  'empty files': `
for folder in range(120):
    os.mkdir(f'/tmp/{folder}')
    for name in range(10_000):
        os.close(os.open(f'/tmp/{folder}/{name}', os.O_CREAT | os.O_WRONLY))
give()`,
  'files in memory, beside the memory of a process': `
import errno
def fill(path):
    with open(path, 'wb', buffering=0) as file:
        try:
            while True: file.write(b'x' * 2**20)
        except OSError as error: assert error.errno == errno.ENOSPC
block = bytearray(b'x') * (120 * 2**20)
fill('/tmp/a'); fill('/dev/shm/a')
time.sleep(3)
give()`,
  'page tables': `
import mmap
children = []
for _ in range(60):
    child = os.fork()
    if child == 0:
        room = mmap.mmap(-1, 7 * 2**29, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, mmap.PROT_READ)
        room.madvise(15) # no huge pages
        for at in range(0, len(room), 2**21): room[at]
        time.sleep(10); os._exit(0)
    children.append(child)
for child in children: os.waitpid(child, 0)
give()`,
  'areas of memory': `
import mmap
children = []
for _ in range(50):
    child = os.fork()
    if child == 0:
        room = mmap.mmap(-1, 64_000 * 4096, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        start = ctypes.addressof(ctypes.c_char.from_buffer(room))
        protect = ctypes.CDLL(None).mprotect
        protect.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
        for at in range(0, 64_000, 2): protect(start + at * 4096, 4096, 1)
        time.sleep(10); os._exit(0)
    children.append(child)
for child in children: os.waitpid(child, 0)
give()`,
  'queues of sockets': `
import socket
children = []
for _ in range(8):
    child = os.fork()
    if child == 0:
        pairs = []
        for _ in range(400):
            pair = socket.socketpair()
            for end in pair:
                end.setblocking(False)
                try:
                    while True: end.send(b'x' * 65536)
                except BlockingIOError: pass
            pairs.append(pair)
        time.sleep(10); os._exit(0)
    children.append(child)
for child in children: os.waitpid(child, 0)
give()`,
}

t.test('hidden memory ends the conversion, not the service', async (t) => {
  const { service } = await startAttacked(t, { limits: { memory: '256MB' } })
  for (const [name, program] of Object.entries(HIDDEN)) {
    const message = name === 'empty files' ? /more files/ : /more memory/
    const { record } = await attack(service, program)
    t.match(record, { status: 'failed', error: { code: 'RESOURCE_LIMIT', message } }, name)
    t.equal((await service.call('GET', '/readyz')).status, 200, 'the service is there')
  }
  t.equal(await service.end('SIGTERM'), 0)
})

/** Leaves the process group, the session and the parent, as daemons do; then runs `work`. */
const LEAVE = (work: string) => `
def leave():
    try: os.setpgid(0, 0)
    except OSError: pass
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            ${work}
        os._exit(0)
    os._exit(0)
if os.fork() == 0: leave()
time.sleep(5)
give()
`

// No namespace holds them together. They must end with the job anyway.
t.test('without a sandbox, a daemon ends with its job, and counts towards its limits', async (t) => {
  const { service, dataDir } = await startAttacked(t, { sandbox: 'none', limits: { memory: '256MB' } })
  for (const to of ['once', 'sockets'] as const) {
    const running = attack(service, LEAVE('time.sleep(600)'), to)
    await until(() => engines(dataDir).length > 1)
    const { record, id } = await running
    t.equal(record.status, 'completed', id)
    await until(() => engines(dataDir).length === 0)
  }
  const greedy = LEAVE("room = b'x' * 400_000_000; time.sleep(60); os._exit(0)").replace('sleep(5)', 'sleep(60)')
  t.match((await attack(service, greedy)).record, { status: 'failed', error: { code: 'RESOURCE_LIMIT' } })
  await until(() => engines(dataDir).length === 0)
})

/** Command lines of running engines in this data folder, without zombies. */
function engines(dataDir: string): string[] {
  return readdirSync('/proc').flatMap((pid) => {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'latin1')
      return command.includes('engine.py\0once') && command.includes(dataDir) ? [command] : []
    } catch {
      return [] // it has ended
    }
  })
}
