import t from 'tap'
import { seccompProgram } from '../../kernel/sandbox/walls/seccomp.ts'
import { SYSCALLS } from '../../kernel/sandbox/walls/syscalls.ts'

const ALLOW = 0x7fff0000
const KILL = 0x80000000
const NOTHING = 0x50000
const EPERM = 0x50001
const ENOMEM = 0x5000c
const EINVAL = 0x50016
const ENOTTY = 0x50019
const ENOSYS = 0x50026
const EOPNOTSUPP = 0x5005f
const EAFNOSUPPORT = 0x50061
const ARCHITECTURES = { x64: 0xc000003e, arm64: 0xc00000b7 }
type Arch = keyof typeof ARCHITECTURES

/** Simulates the kernel's answer: a classic BPF machine with the four instructions in use (seccomp(2)). */
function judge(program: Buffer, call: number, args: readonly number[] = [], arch = ARCHITECTURES.x64): number {
  const data = Buffer.alloc(64)
  data.writeUInt32LE(call, 0)
  data.writeUInt32LE(arch, 4)
  for (const [index, value] of args.entries()) data.writeUInt32LE(value >>> 0, 16 + 8 * index)
  let accumulator = 0
  for (let at = 0; at < program.length / 8; at++) {
    const [code, yes, no, operand] = [0, 2, 3, 4].map((offset) =>
      offset === 4
        ? program.readUInt32LE(at * 8 + 4)
        : offset
          ? program[at * 8 + offset]!
          : program.readUInt16LE(at * 8),
    ) as [number, number, number, number]
    if (code === 0x06) return operand
    if (code === 0x20) accumulator = data.readUInt32LE(operand)
    else if (code === 0x15) at += accumulator === operand ? yes : no
    else if (code === 0x35) at += accumulator >= operand ? yes : no
    else if (code === 0x45) at += accumulator & operand ? yes : no
    else throw new Error(`instruction ${code}`)
  }
  throw new Error('fell off the end')
}

// biome-ignore format: a table reads better in columns
const CALLS = {
  x64: {
    read: 0, socket: 41, socketpair: 53, setsockopt: 54, clone: 56, ioctl: 16, personality: 135, ptrace: 101, mount: 165, bpf: 321,
    mmap: 9, shmat: 30, semget: 64, msgsnd: 69, fcntl: 72, sync: 162, io_setup: 206, mq_open: 240, ioprio_set: 251, fallocate: 285,
    inotify_init1: 294, syncfs: 306, unshare: 272, keyctl: 250, userfaultfd: 323, shmget: 29, memfd_create: 319, setsid: 112,
    splice: 275, tee: 276, vmsplice: 278, sendfile: 40, sendmsg: 46, sendmmsg: 307,
  },
  arm64: {
    read: 63, socket: 198, socketpair: 199, setsockopt: 208, clone: 220, ioctl: 29, personality: 92, ptrace: 117, mount: 40, bpf: 280,
    mmap: 222, shmat: 196, semget: 190, msgsnd: 189, fcntl: 25, sync: 81, io_setup: 0, mq_open: 180, ioprio_set: 30, fallocate: 47,
    inotify_init1: 26, syncfs: 267, unshare: 97, keyctl: 219, userfaultfd: 282, shmget: 194, memfd_create: 279, setsid: 157,
    splice: 76, tee: 77, vmsplice: 75, sendfile: 71, sendmsg: 211, sendmmsg: 269,
  },
}

for (const arch of ['x64', 'arm64'] as Arch[]) {
  t.test(arch, async (t) => {
    const calls = CALLS[arch]
    const numbers = Object.values(SYSCALLS[arch]?.numbers ?? {})
    t.ok(numbers.length > 50 && new Set(numbers).size === numbers.length, 'no two calls have one number')
    const strict = seccompProgram('strict', arch)
    const unix = seccompProgram('unix', arch)
    const answer = (program: Buffer, call: keyof typeof calls | number, ...args: number[]) =>
      judge(program, typeof call === 'number' ? call : calls[call], args, ARCHITECTURES[arch])

    for (const program of [strict, unix]) {
      t.equal(answer(program, 'read'), ALLOW)
      t.equal(answer(program, 'socketpair', 1), ALLOW, 'AF_UNIX')
      for (const family of [0, 2, 16, 30, 40]) t.equal(answer(program, 'socketpair', family), EAFNOSUPPORT)
      for (const option of [7, 8, 32, 33])
        t.equal(answer(program, 'setsockopt', 3, 1, option), NOTHING, `queues ${option}`)
      for (const option of [2, 9, 16, 20])
        t.equal(answer(program, 'setsockopt', 3, 1, option), ALLOW, `SO_REUSEADDR and others ${option}`)
      for (const call of [452, 467, 10_000]) t.equal(answer(program, call), ENOSYS, `${call}`)
      t.equal(answer(program, 'fallocate', 1), EOPNOTSUPP)
      for (const call of ['splice', 'tee', 'vmsplice', 'sendfile'] as const)
        t.equal(answer(program, call), EINVAL, call)
      for (const call of ['sync', 'syncfs'] as const) t.equal(answer(program, call), NOTHING, call)
      for (const call of ['io_setup', 'inotify_init1', 'mq_open', 'memfd_create'] as const)
        t.equal(answer(program, call), ENOSYS, call)
      for (const call of ['semget', 'shmat', 'msgsnd', 'ioprio_set'] as const)
        t.equal(answer(program, call), EPERM, call)
      t.equal(answer(program, 'fcntl', 3, 6), ALLOW, 'F_SETLK')
      for (const command of [1024, 1026, 1031]) t.equal(answer(program, 'fcntl', 3, command), EPERM, `fcntl ${command}`)
      const mapped = (flags: number) => answer(program, 'mmap', 0, 4096, 3, flags)
      t.same([0x22, 0x01, 0x03].map(mapped), [ALLOW, ALLOW, ALLOW], 'private without a file, shared with one')
      t.same([0x21, 0x23, 0x8021].map(mapped), [EPERM, EPERM, EPERM], 'shared without a file')
      t.same([0x40022, 0x40001].map(mapped), [ENOMEM, ENOMEM], 'huge pages')
      t.equal(answer(program, 'ioctl', 1, 0x4028582a), ENOTTY, 'FS_IOC_RESVSP64')
      t.equal(answer(program, 'ioctl', 1, 0x5423), EPERM, 'TIOCSETD')
      for (const call of ['ptrace', 'mount', 'bpf', 'unshare', 'keyctl', 'userfaultfd', 'shmget'] as const)
        t.equal(answer(program, call), EPERM, call)
      for (const call of [425, 435, 428]) t.equal(answer(program, call), ENOSYS, `${call}`)
      t.equal(answer(program, 'clone', 17), ALLOW, 'fork')
      t.equal(answer(program, 'clone', 0x10000011), EPERM, 'a user namespace')
      t.equal(answer(program, 'ioctl', 1, 0x5401), ALLOW, 'TCGETS')
      t.equal(answer(program, 'ioctl', 1, 0x5412), EPERM, 'TIOCSTI')
      t.equal(answer(program, 'ioctl', 1, 0x541c), EPERM, 'TIOCLINUX')
      t.equal(answer(program, 'personality', 0), ALLOW)
      t.equal(answer(program, 'personality', 0xffffffff), ALLOW, 'asks')
      t.equal(answer(program, 'personality', 0x40000), EPERM, 'no address randomisation')
      t.equal(answer(program, 'socket', 2), EAFNOSUPPORT, 'AF_INET')
      t.equal(answer(program, 'socket', 16), EAFNOSUPPORT, 'AF_NETLINK')
      t.equal(judge(program, 0, [], 0x40000003), KILL, 'i386')
    }
    t.equal(answer(strict, 'socket', 1), EAFNOSUPPORT, 'AF_UNIX')
    t.equal(answer(unix, 'socket', 1), ALLOW, 'AF_UNIX')
    for (const call of ['sendmsg', 'sendmmsg'] as const)
      t.same(
        [strict, unix].map((program) => answer(program, call)),
        [EPERM, ALLOW],
        call,
      )
    if (arch === 'x64') t.equal(answer(strict, 0x40000000), ENOSYS, 'x32')
  })
}

t.throws(() => seccompProgram('strict', 'mips'), { name: 'StartError' })
