import { StartError } from '../../errors.ts'
import { ABSENT, JUDGED, SYSCALLS } from './syscalls.ts'

type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, operand: number]

// linux/bpf_common.h and linux/seccomp.h
const load = (offset: number): Instruction => [0x20, 0, 0, offset]
const equal = (value: number, ifTrue: number, ifFalse: number): Instruction => [0x15, ifTrue, ifFalse, value]
const atLeast = (value: number, ifTrue: number, ifFalse: number): Instruction => [0x35, ifTrue, ifFalse, value]
const anyBit = (bits: number, ifTrue: number, ifFalse: number): Instruction => [0x45, ifTrue, ifFalse, bits]
const answer = (action: number): Instruction => [0x06, 0, 0, action]
const ALLOW = answer(0x7fff0000)
const KILL = answer(0x80000000)
const refuse = (errno: number) => answer(0x00050000 | errno)
const [EPERM, ENOSYS, EAFNOSUPPORT] = [1, 38, 97]

// struct seccomp_data: nr, arch, instruction_pointer, args[6]. The low half of an argument comes first.
const NUMBER = 0
const ARCHITECTURE = 4
const argument = (index: number) => 16 + 8 * index

const NEW_NAMESPACES = 0x7e020000 // CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET
const [TIOCSTI, TIOCLINUX] = [0x5412, 0x541c]
const AF_UNIX = 1
const X32 = 0x40000000

/**
 * The system call filter of a sandbox as a classic BPF program for `bwrap --seccomp`: all calls are allowed but those
 * that reach the kernel's rarely tested parts. Sources: seccomp(2); the deny list of Flatpak (`flatpak-run.c`), with
 * what Docker's default profile refuses besides.
 *
 * `strict` refuses sockets of every family, `unix` all but AF_UNIX; socketpair(2) is allowed in both.
 * Throws StartError on an architecture without a table.
 */
export function seccompProgram(variant: 'strict' | 'unix', arch: string = process.arch): Buffer {
  const table = SYSCALLS[arch]
  if (!table) throw new StartError(`there is no system call filter for the architecture ${arch}`)
  const { audit, numbers } = table
  const special = new Set<string>([...ABSENT, ...JUDGED])
  const program: Instruction[] = [
    load(ARCHITECTURE),
    equal(audit, 1, 0),
    KILL, // a 32-bit call would be read with the wrong numbers
    load(NUMBER),
    ...(arch === 'x64' ? [atLeast(X32, 0, 1), refuse(ENOSYS)] : []),
    ...ABSENT.flatMap((name) => [equal(numbers[name], 0, 1), refuse(ENOSYS)]),
    ...Object.keys(numbers).flatMap((name) => (special.has(name) ? [] : [equal(numbers[name]!, 0, 1), refuse(EPERM)])),
    ...[equal(numbers.clone, 0, 4), load(argument(0)), anyBit(NEW_NAMESPACES, 0, 1), refuse(EPERM), ALLOW],
    ...[equal(numbers.ioctl, 0, 5), load(argument(1)), equal(TIOCSTI, 1, 0), equal(TIOCLINUX, 0, 1), refuse(EPERM)],
    ALLOW,
    ...[equal(numbers.personality, 0, 5), load(argument(0)), equal(0, 2, 0), equal(0xffffffff, 1, 0), refuse(EPERM)],
    ALLOW,
    ...(variant === 'unix'
      ? [equal(numbers.socket, 0, 4), load(argument(0)), equal(AF_UNIX, 1, 0), refuse(EAFNOSUPPORT), ALLOW]
      : [equal(numbers.socket, 0, 1), refuse(EAFNOSUPPORT)]),
    ALLOW,
  ]
  return encode(program)
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
