import { StartError } from '../../errors.ts'
import { ABSENT, JUDGED, LEAVING, PASSING, PINNING, SYSCALLS, UNKNOWN, UNNEEDED, UNSUPPORTED } from './syscalls.ts'

type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, operand: number]

// linux/bpf_common.h and linux/seccomp.h
const load = (offset: number): Instruction => [0x20, 0, 0, offset]
const equal = (value: number, ifTrue: number, ifFalse: number): Instruction => [0x15, ifTrue, ifFalse, value]
const atLeast = (value: number, ifTrue: number, ifFalse: number): Instruction => [0x35, ifTrue, ifFalse, value]
const anyBit = (bits: number, ifTrue: number, ifFalse: number): Instruction => [0x45, ifTrue, ifFalse, bits]
const answer = (action: number): Instruction => [0x06, 0, 0, action]
const ALLOW = answer(0x7fff0000)
const KILL = answer(0x80000000)
/** The kernel skips the call, which fails with `errno`; with 0 it seems to succeed. */
const refuse = (errno: number) => answer(0x00050000 | errno)
const SUCCEED = refuse(0)
const EPERM = 1
const ENOMEM = 12
const EINVAL = 22
const ENOTTY = 25
const ENOSYS = 38
const EOPNOTSUPP = 95
const EAFNOSUPPORT = 97

// struct seccomp_data: nr, arch, instruction_pointer, args[6]. The low half of an argument comes first.
const NUMBER = 0
const ARCHITECTURE = 4
const argument = (index: number) => 16 + 8 * index

const NEW_NAMESPACES = 0x7e020000 // CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET
const AF_UNIX = 1
/** Requests that inject terminal input, drive the console or set line disciplines, which load kernel modules. */
const TIOCSTI = 0x5412
const TIOCLINUX = 0x541c
const TIOCSETD = 0x5423
/**
 * The only ioctl(2) requests that the filter allows: TCGETS, TCSETS, TCSETSW, TCSETSF, TIOCGPGRP, TIOCSPGRP, TIOCOUTQ,
 * TIOCGWINSZ, FIONREAD, FIONBIO, TIOCGSID, FIONCLEX, FIOCLEX, FIOASYNC, TCGETS2, FICLONE. It refuses, for example,
 * requests that reserve disk space as fallocate(2) does (FS_IOC_RESVSP).
 */
const REQUESTS = [
  0x5401, 0x5402, 0x5403, 0x5404, 0x540f, 0x5410, 0x5411, 0x5413, 0x541b, 0x5421, 0x5429, 0x5450, 0x5451, 0x5452,
  0x802c542a, 0x40049409,
]
/** Lease a file, which makes the service wait when it opens the file; watch a folder; enlarge a pipe. */
const F_SETLEASE = 1024
const F_NOTIFY = 1026
const F_SETPIPE_SZ = 1031
/** Socket options that enlarge its queues: SO_SNDBUF, SO_RCVBUF, SO_SNDBUFFORCE, SO_RCVBUFFORCE. */
const QUEUES = [7, 8, 32, 33]
/** PR_SET_DUMPABLE would hide a process's open files and written bytes from a service that runs as the same user. */
const PR_SET_DUMPABLE = 4
const PR_SET_SECCOMP = 22
const PR_SET_CHILD_SUBREAPER = 36
const MAP_SHARED = 0x01
const MAP_ANONYMOUS = 0x20
const MAP_HUGETLB = 0x40000

const answerEach = (values: readonly number[], answer: Instruction) =>
  values.flatMap((value) => [equal(value, 0, 1), answer])
const refuseEach = (values: readonly number[], errno: number) => answerEach(values, refuse(errno))
const allowEach = (values: readonly number[]) => answerEach(values, ALLOW)

/**
 * Builds the system call filter of a sandbox, a classic BPF program for `bwrap --seccomp`. It refuses calls that reach
 * rarely tested parts of the kernel, that take memory or disk space which the watchdog cannot see, or that delay other
 * programs. It allows all others. Sources: seccomp(2); the deny list of Flatpak (`flatpak-run.c`), plus the calls that
 * Docker's default profile also refuses.
 *
 * `strict` refuses sockets of every family, and to pass open files through those of socketpair(2). `unix` refuses all
 * families but AF_UNIX. Both allow socketpair(2) with AF_UNIX only.
 * Throws StartError on an architecture without a table.
 *
 * @param grouped whether processes must stay in their process group, because nothing else holds them together
 */
export function seccompProgram(variant: 'strict' | 'unix', arch: string = process.arch, grouped = false): Buffer {
  const table = SYSCALLS[arch]
  if (!table) throw new StartError(`there is no system call filter for the architecture ${arch}`)
  const { audit, numbers } = table
  const special = new Set<string>([ABSENT, UNNEEDED, UNSUPPORTED, PINNING, PASSING, LEAVING, JUDGED].flat())
  const known = (names: readonly string[]) => names.flatMap((name) => numbers[name] ?? [])
  const others = Object.keys(numbers).filter((name) => !special.has(name))
  /** Decides a call by one argument. Every path through `body` must end in an answer. */
  const judge = (name: (typeof JUDGED)[number], index: number, ...body: Instruction[]) => [
    equal(numbers[name], 0, body.length + 1),
    load(argument(index)),
    ...body,
  ]
  return encode([
    load(ARCHITECTURE),
    equal(audit, 1, 0),
    KILL, // 32-bit calls have other numbers
    load(NUMBER),
    atLeast(UNKNOWN, 0, 1),
    refuse(ENOSYS), // includes x32 calls
    ...judge('clone', 0, anyBit(NEW_NAMESPACES, 0, 1), refuse(EPERM), ALLOW),
    ...judge('fcntl', 1, ...refuseEach([F_SETLEASE, F_NOTIFY, F_SETPIPE_SZ], EPERM), ALLOW),
    ...judge('ioctl', 1, ...refuseEach([TIOCSTI, TIOCLINUX, TIOCSETD], EPERM), ...allowEach(REQUESTS), refuse(ENOTTY)),
    // Shared anonymous memory stays allocated when no process has it resident. The watchdog counts resident pages.
    ...judge(
      'mmap',
      3,
      ...[anyBit(MAP_HUGETLB, 0, 1), refuse(ENOMEM)],
      ...[anyBit(MAP_SHARED, 0, 2), anyBit(MAP_ANONYMOUS, 0, 1), refuse(EPERM), ALLOW],
    ),
    ...judge('personality', 0, ...allowEach([0, 0xffffffff]), refuse(EPERM)),
    // The watchdog assumes the default queue size. Programs enlarge queues only for speed.
    ...judge('setsockopt', 2, ...refuseEach(QUEUES, 0), ALLOW),
    ...judge(
      'prctl',
      0,
      ...[...answerEach([PR_SET_DUMPABLE, PR_SET_CHILD_SUBREAPER], SUCCEED), ...refuseEach([PR_SET_SECCOMP], EINVAL)],
      ALLOW,
    ),
    ...judge('socketpair', 0, ...allowEach([AF_UNIX]), refuse(EAFNOSUPPORT)),
    ...judge('socket', 0, ...(variant === 'unix' ? allowEach([AF_UNIX]) : []), refuse(EAFNOSUPPORT)),
    ...refuseEach(known(ABSENT), ENOSYS),
    ...answerEach(known(grouped ? [...UNNEEDED, ...LEAVING] : UNNEEDED), SUCCEED),
    ...refuseEach(known(UNSUPPORTED), EOPNOTSUPP),
    ...refuseEach(known(PINNING), EINVAL),
    ...refuseEach(known(variant === 'strict' ? [...others, ...PASSING] : others), EPERM),
    ALLOW,
  ])
}

/** struct sock_filter: u16 code, u8 jt, u8 jf, u32 k. Both architectures are little-endian. */
function encode(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(program.length * 8)
  for (const [index, [code, ifTrue, ifFalse, operand]] of program.entries()) {
    bytes.writeUInt16LE(code, index * 8)
    bytes.writeUInt8(ifTrue, index * 8 + 2)
    bytes.writeUInt8(ifFalse, index * 8 + 3)
    bytes.writeUInt32LE(operand >>> 0, index * 8 + 4)
  }
  return bytes
}
