import { spawnSync } from 'node:child_process'
import type { User } from './user.ts'

/**
 * Binds itself by landlock(7), so that the program that it becomes, and whatever that starts, reaches the given files
 * and no others, no TCP, and no other process: FILES READABLE … -- WRITABLE … -- PROGRAM ARGUMENT …
 * perl-base is on every Debian; nothing that is started as quickly can make system calls of its own choice.
 */
const BIND = String.raw`
my ($create, $add, $restrict, $path) = (444, 445, 446);
my $abi = syscall($create, 0, 0, 1);
die "no Landlock\n" if $abi < 1;
# Each version can forbid more: moving between folders, truncating, devices' controls; TCP; other processes.
my $all = $abi < 2 ? 0x1fff : $abi < 3 ? 0x3fff : $abi < 5 ? 0x7fff : 0xffff;
my $attr = pack('Q', $all) . ($abi < 4 ? '' : pack('Q', 3)) . ($abi < 6 ? '' : pack('Q', 3));
my $rules = syscall($create, $attr, length($attr), 0);
die "landlock_create_ruleset: $!\n" if $rules < 0;
# Execute, read, list; and for what is no folder only what a file can be.
my ($read, $file) = (0x0d, 0xc007);
sub allow {
  my ($access, $path) = @_;
  sysopen(my $place, $path, 0x280000) or return;
  $access &= $file unless -d $place;
  my $rule = pack('Ql', $access & $all, fileno($place));
  syscall($add, $rules, 1, $rule, 0) == 0 or die "landlock_add_rule: $!\n";
}
allow($read, $path) while defined($path = shift) && $path ne '--';
allow($all, $path) while defined($path = shift) && $path ne '--';
# Sockets of a program for itself: LibreOffice makes them here, wherever its files go.
allow(0x220, '/tmp');
syscall($restrict, $rules, 0) == 0 or die "landlock_restrict_self: $!\n";
exec { $ARGV[0] } @ARGV or die "$ARGV[0]: $!\n";
`

/** What a program is started through to reach nothing but these files; places that do not exist are left out. */
export const landlocked = (readable: readonly string[], writable: readonly string[]): string[] => [
  // Only who gives up to gain rights may bind itself.
  ...['/usr/bin/setpriv', '--no-new-privs', '/usr/bin/perl', '-e', BIND],
  ...[...readable, '--', ...writable, '--'],
]

/** Whether the kernel does that: Linux 5.13 and newer, unless it was built or started without. */
export function hasLandlock(user: User | undefined): boolean {
  const [program, ...args] = [...landlocked(['/usr'], []), '/usr/bin/true']
  return spawnSync(program!, args, { ...user, env: {}, stdio: 'ignore', timeout: 10_000 }).status === 0
}
