/** Memory outside the pages of processes counts towards the limit. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import { attack, startAttacked } from './attack.ts'

const MiB = 1024 ** 2

/** Bytes that the kernel uses for page tables, small objects and files in memory: meminfo, proc(5). */
function held(): number {
  const text = readFileSync('/proc/meminfo', 'latin1')
  const kilobytes = (name: string) => Number(new RegExp(`^${name}: +(\\d+)`, 'm').exec(text)![1])
  return ['PageTables', 'SUnreclaim', 'KernelStack', 'Shmem'].reduce((sum, name) => sum + kilobytes(name), 0) * 1024
}

/** Attacks that would use 0.5 to 1.5 GB if nothing stopped them. */
const attacks: Record<string, { program: string; ends: object }> = {
  'empty files': {
    program: `
for folder in range(120):
    os.mkdir(f'/tmp/{folder}')
    for name in range(10_000):
        os.close(os.open(f'/tmp/{folder}/{name}', os.O_CREAT | os.O_WRONLY))
give()`,
    ends: { code: 'RESOURCE_LIMIT', message: /more files/ },
  },
  'files in memory, beside the memory of a process': {
    program: `
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
    ends: { code: 'RESOURCE_LIMIT', message: /more memory/ },
  },
  'page tables': {
    program: `
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
    ends: { code: 'RESOURCE_LIMIT', message: /more memory/ },
  },
  'areas of memory': {
    program: `
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
    ends: { code: 'RESOURCE_LIMIT', message: /more memory/ },
  },
  'queues of sockets': {
    program: `
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
    ends: { code: 'RESOURCE_LIMIT', message: /more memory/ },
  },
}

t.test('hidden memory ends the conversion, not the service', async (t) => {
  const { service } = await startAttacked(t, { limits: { memory: '256MB' } })
  for (const [name, { program, ends }] of Object.entries(attacks)) {
    // The least of a few: other programs of the machine use memory, too.
    const rounds: number[] = []
    while (rounds.length < 3 && !rounds.some((max) => max < 500 * MiB)) {
      const before = held()
      let max = 0
      const timer = setInterval(() => (max = Math.max(max, held() - before)), 20)
      const { record } = await attack(service, program)
      clearInterval(timer)
      t.match(record, { status: 'failed', error: ends }, name)
      rounds.push(max)
    }
    const least = Math.min(...rounds)
    t.ok(least < 500 * MiB, `${name}: the machine held ${Math.round(least / MiB)} MiB more`)
    t.equal((await service.call('GET', '/readyz')).status, 200, 'the service is there')
  }
})
