/** Numbers of the system calls that the filter names (Linux `asm/unistd_64.h` and `asm-generic/unistd.h`). */

const names = (text: string) => text.split(' ')

/** Fail with ENOSYS: programs then fall back to an older call, which the filter can check. */
export const ABSENT = [
  ...names('clone3 open_tree move_mount fsopen fsconfig fsmount fspick mount_setattr'),
  ...names('io_uring_setup io_uring_enter io_uring_register'),
  // Memory that belongs to no process would escape the watchdog, which adds up the memory of processes.
  ...names('memfd_create memfd_secret'),
  // All programs of the machine share the limits of these: asynchronous I/O, watches on files, message queues.
  ...names('io_setup io_destroy io_submit io_cancel io_getevents io_pgetevents inotify_init inotify_init1 mq_open'),
  // A program could add any number of filters and rulesets, each a megabyte of kernel memory that no process shows.
  ...names('seccomp landlock_create_ruleset landlock_add_rule landlock_restrict_self'),
]

/**
 * Fail with EOPNOTSUPP, as on a file system without support: programs then write the file instead of reserving space,
 * and do without attributes. An access list on an in-memory file system takes 64 KiB, which no file count shows.
 */
export const UNSUPPORTED = ['fallocate', 'setxattr', 'lsetxattr', 'fsetxattr']

/**
 * Fail with EINVAL, as on a file of the wrong kind: programs then read and write. A pipe that refers to 4 KiB of a
 * cached file keeps a huge page, which is in no resident set and, once the file is truncated, in no count of cached
 * files.
 */
export const PINNING = ['splice', 'tee', 'vmsplice', 'sendfile']

/** Skipped, but seem to succeed: each call would flush the writes of every program of the machine to disk. */
export const UNNEEDED = ['sync', 'syncfs']

/**
 * Skipped, but seem to succeed, if no namespace holds a program's processes together. All of them must stay in the
 * process group by which the service kills them.
 */
export const LEAVING = ['setsid', 'setpgid']

/**
 * Refused to programs without Unix sockets: they put open files into the queue of a socket, where nobody counts the
 * files and what hangs on them. The kernel also limits such files by user, all programs together.
 */
export const PASSING = ['sendmsg', 'sendmmsg']

/** Decided by their arguments, with answers of their own. */
// biome-ignore format: a list reads better in lines
export const JUDGED = [
  'clone', 'fcntl', 'ioctl', 'mmap', 'personality', 'prctl', 'setsockopt', 'socket', 'socketpair',
] as const

/** Calls from this number on came with Linux 6.6 or later. Nobody has reviewed them, and programs work without them. */
export const UNKNOWN = 452

type Numbers = Record<(typeof JUDGED)[number], number> & Readonly<Record<string, number>>

// Calls from 424 on have one number on every architecture.
// biome-ignore format: a table reads better in columns
const COMMON = {
  io_uring_setup: 425, io_uring_enter: 426, io_uring_register: 427, open_tree: 428, move_mount: 429, fsopen: 430,
  fsconfig: 431, fsmount: 432, fspick: 433, clone3: 435, pidfd_getfd: 438, process_madvise: 440, mount_setattr: 442,
  quotactl_fd: 443, landlock_create_ruleset: 444, landlock_add_rule: 445, landlock_restrict_self: 446,
  memfd_secret: 447, set_mempolicy_home_node: 450, cachestat: 451,
}

// biome-ignore format: a table reads better in columns
const X64 = {
  mmap: 9, ioctl: 16, shmget: 29, shmat: 30, shmctl: 31, socket: 41, socketpair: 53, setsockopt: 54, clone: 56, semget: 64, semop: 65,
  semctl: 66, shmdt: 67, msgget: 68, msgsnd: 69, msgrcv: 70, msgctl: 71, fcntl: 72, ptrace: 101, syslog: 103,
  setpgid: 109, setsid: 112, prctl: 157, setxattr: 188, lsetxattr: 189, fsetxattr: 190, seccomp: 317,
  sendfile: 40, sendmsg: 46, splice: 275, tee: 276, sendmmsg: 307,
  mknod: 133, uselib: 134, personality: 135, ustat: 136, sysfs: 139, vhangup: 153, modify_ldt: 154, pivot_root: 155,
  _sysctl: 156, adjtimex: 159, chroot: 161, sync: 162, acct: 163, settimeofday: 164, mount: 165, umount2: 166,
  swapon: 167, swapoff: 168, reboot: 169, sethostname: 170, setdomainname: 171, iopl: 172, ioperm: 173,
  create_module: 174, init_module: 175, delete_module: 176, get_kernel_syms: 177, query_module: 178, quotactl: 179,
  nfsservctl: 180, io_setup: 206, io_destroy: 207, io_getevents: 208, io_submit: 209, io_cancel: 210,
  lookup_dcookie: 212, remap_file_pages: 216, semtimedop: 220, clock_settime: 227, mbind: 237, set_mempolicy: 238,
  get_mempolicy: 239, mq_open: 240, kexec_load: 246, add_key: 248, request_key: 249, keyctl: 250, ioprio_set: 251,
  inotify_init: 253, migrate_pages: 256, mknodat: 259, unshare: 272, vmsplice: 278, move_pages: 279, fallocate: 285,
  inotify_init1: 294, perf_event_open: 298, fanotify_init: 300, name_to_handle_at: 303, open_by_handle_at: 304,
  clock_adjtime: 305, syncfs: 306, setns: 308, process_vm_readv: 310, process_vm_writev: 311, kcmp: 312,
  finit_module: 313, memfd_create: 319, kexec_file_load: 320, bpf: 321, userfaultfd: 323, io_pgetevents: 333,
}

// biome-ignore format: a table reads better in columns
const ARM64 = {
  io_setup: 0, io_destroy: 1, io_submit: 2, io_cancel: 3, io_getevents: 4, lookup_dcookie: 18, fcntl: 25,
  setxattr: 5, lsetxattr: 6, fsetxattr: 7, setpgid: 154, setsid: 157, prctl: 167, seccomp: 277,
  sendfile: 71, splice: 76, tee: 77, sendmsg: 211, sendmmsg: 269,
  inotify_init1: 26, ioctl: 29, ioprio_set: 30, mknodat: 33, umount2: 39, mount: 40, pivot_root: 41, nfsservctl: 42,
  fallocate: 47, chroot: 51, vhangup: 58, quotactl: 60, vmsplice: 75, sync: 81, acct: 89, personality: 92, unshare: 97,
  kexec_load: 104, init_module: 105, delete_module: 106, clock_settime: 112, syslog: 116, ptrace: 117, reboot: 142,
  sethostname: 161, setdomainname: 162, settimeofday: 170, adjtimex: 171, mq_open: 180, msgget: 186, msgctl: 187,
  msgrcv: 188, msgsnd: 189, semget: 190, semctl: 191, semtimedop: 192, semop: 193, shmget: 194, shmctl: 195, shmat: 196,
  shmdt: 197, socket: 198, socketpair: 199, setsockopt: 208, add_key: 217, request_key: 218, keyctl: 219, clone: 220, mmap: 222,
  swapon: 224, swapoff: 225, remap_file_pages: 234, mbind: 235, get_mempolicy: 236, set_mempolicy: 237,
  migrate_pages: 238, move_pages: 239, perf_event_open: 241, fanotify_init: 262, name_to_handle_at: 264,
  open_by_handle_at: 265, clock_adjtime: 266, syncfs: 267, setns: 268, process_vm_readv: 270, process_vm_writev: 271,
  kcmp: 272, finit_module: 273, memfd_create: 279, bpf: 280, userfaultfd: 282, io_pgetevents: 292,
  kexec_file_load: 294,
}

/** Call numbers by `process.arch`. Calls that are in none of the lists above fail with EPERM. */
export const SYSCALLS: Readonly<Record<string, { audit: number; numbers: Numbers }>> = {
  x64: { audit: 0xc000003e, numbers: { ...COMMON, ...X64 } },
  arm64: { audit: 0xc00000b7, numbers: { ...COMMON, ...ARM64 } },
}
