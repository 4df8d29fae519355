import { spawnSync } from 'node:child_process'
import { TRIAL_TIMEOUT_MS } from '../process/process.ts'
import { SYSCALLS } from './syscalls.ts'
import type { EngineUser } from './user.ts'

/**
 * Perl script that restricts itself and then executes a program. The program and its children reach only the given
 * files, no TCP and no other process (landlock(7)). The filter refuses further system calls (seccomp(2)), such as those
 * that open other kinds of sockets.
 * Arguments: CALL CONTROL FILTER LANDLOCK READABLE … -- WRITABLE … -- PROGRAM ARGUMENT …
 * CALL and CONTROL are the numbers of seccomp(2) and prctl(2).
 * Perl, because perl-base is on every Debian and nothing else that starts as quickly can make arbitrary system calls.
 */
const BIND = String.raw`
my ($call, $control, $filter, $landlock) = (shift, shift, shift, shift);
# PR_SET_CHILD_SUBREAPER: orphaned descendants stay below this process, where the watchdog finds them.
syscall($control + 0, 36, 1, 0, 0, 0);
my $code;
if ($filter) {
  open(my $file, '<:raw', $filter) or die "$filter: $!\n";
  local $/;
  $code = <$file>;
}
my ($create, $add, $restrict, $path) = (444, 445, 446);
my $abi = $landlock ? syscall($create, 0, 0, 1) : 0;
die "no Landlock\n" if $landlock && $abi < 1;
# Newer versions forbid more: moving between folders, truncating, ioctl on devices; TCP; signals to other processes.
my $all = $abi < 2 ? 0x1fff : $abi < 3 ? 0x3fff : $abi < 5 ? 0x7fff : 0xffff;
my $attr = pack('Q', $all) . ($abi < 4 ? '' : pack('Q', 3)) . ($abi < 6 ? '' : pack('Q', 3));
my $rules = $landlock ? syscall($create, $attr, length($attr), 0) : -1;
die "landlock_create_ruleset: $!\n" if $landlock && $rules < 0;
# Rights to execute, read and list; and the rights that a file, unlike a folder, can have.
my ($read, $file) = (0x0d, 0xc007);
sub allow {
  my ($access, $path) = @_;
  return if !$landlock;
  sysopen(my $place, $path, 0x280000) or return;
  $access &= $file unless -d $place;
  my $rule = pack('Ql', $access & $all, fileno($place));
  syscall($add, $rules, 1, $rule, 0) == 0 or die "landlock_add_rule: $!\n";
}
allow($read, $path) while defined($path = shift) && $path ne '--';
allow($all, $path) while defined($path = shift) && $path ne '--';
# Sockets that a program uses by itself: LibreOffice creates them in /tmp, wherever its files are.
allow(0x220, '/tmp');
die "landlock_restrict_self: $!\n" if $landlock && syscall($restrict, $rules, 0) != 0;
# SECCOMP_SET_MODE_FILTER with a struct sock_fprog.
if ($filter) {
  my $fprog = pack('S x![P] P', length($code) / 8, $code);
  syscall($call + 0, 1, 0, $fprog) == 0 or die "seccomp: $!\n";
}
exec { $ARGV[0] } @ARGV or die "$ARGV[0]: $!\n";
`

const numbers = SYSCALLS[process.arch]?.numbers

/** Restrictions of a program that runs without a sandbox. */
export interface Bounds {
  /** Whether the program reaches only the given files. */
  landlock: boolean
  /** Path of the system call filter; undefined for none. */
  filter: string | undefined
}

/** Returns the command to put in front of a program to restrict it. Paths that do not exist are skipped. */
export const through = (
  { landlock, filter }: Bounds,
  readable: readonly string[],
  writable: readonly string[],
): string[] => [
  // Landlock and seccomp filters require no_new_privs.
  '/usr/bin/setpriv',
  '--no-new-privs',
  '/usr/bin/perl',
  '-e',
  BIND,
  `${numbers?.seccomp ?? 0}`,
  `${numbers?.prctl ?? 0}`,
  filter ?? '',
  landlock ? '1' : '',
  ...readable,
  '--',
  ...writable,
  '--',
]

/** Returns true if the kernel has Landlock: Linux 5.13 or newer, unless it was built or booted without it. */
export const hasLandlock = (user: EngineUser | undefined) => binds({ landlock: true, filter: undefined }, user)

/** Returns true if programs may install a system call filter, which some containers forbid. */
export const hasFilters = (filter: string, user: EngineUser | undefined) => binds({ landlock: false, filter }, user)

function binds(bounds: Bounds, user: EngineUser | undefined): boolean {
  const [program, ...args] = [...through(bounds, ['/usr'], []), '/usr/bin/true']
  return spawnSync(program!, args, { ...user, env: {}, stdio: 'ignore', timeout: TRIAL_TIMEOUT_MS }).status === 0
}
