import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StartError } from '../../errors.ts'
import type { Launcher } from '../process/launch.ts'
import { endWithin, TRIAL_TIMEOUT_MS } from '../process/process.ts'

/** Perl program that prints one line for each failed check. Every Debian has perl-base. */
const PROBE = String.raw`
sub slurp { open(my $f, '<', $_[0]) or return undef; local $/; return <$f> }
my $status = slurp('/proc/self/status') // '';
# Inside, files of the host's root belong to an unknown user. They belong to our user only if that user is root.
print "runs as root on the host\n" if (stat('/usr'))[4] == $<;
print "has capabilities\n" unless $status =~ /^CapEff:\s*0+$/m;
print "has no system call filter\n" unless $status =~ /^Seccomp:\s*2$/m;
my $environ = slurp('/proc/1/environ');
print "shows the environment of the service\n" if length($environ // '');
opendir(my $d, '/proc/self/fd'); my @open = grep { /^\d+$/ && $_ > 2 && $_ != fileno($d) } readdir($d);
print "inherits descriptor $_\n" for @open;
for my $family (1, 2, 10, 16) { print "may open sockets of family $family\n" if socket(my $s, $family, 2, 0) }
print "sees the service's files\n" if -e $ARGV[0];
print "may change the kernel's settings\n" if open(my $k, '>>', '/proc/sys/kernel/core_pattern');
print "cannot write to its own folder\n" unless open(my $o, '>', '/out/test');
print "done\n";
`

/** Messages of bwrap on machines that prevent it from working, with cause and remedy. */
const CAUSES: readonly (readonly [RegExp, string])[] = [
  [/max_\*_namespaces exceeded|ENOSPC/, 'a sysctl disables user namespaces: raise user.max_user_namespaces'],
  [
    /No permissions to create new namespace|does not allow non-privileged user namespaces/,
    'a seccomp profile (Docker’s default, for example) or kernel.unprivileged_userns_clone=0 forbids user namespaces: ' +
      'in Docker use --security-opt seccomp=config/deploy/seccomp.json; elsewhere raise the sysctl',
  ],
  [
    /Can't mount proc|open \/proc\/sys\/user/,
    '/proc is masked or read-only, or Linux older than 4.9: in Podman use --security-opt unmask=ALL, in Docker ' +
      '--security-opt systempaths=unconfined, in LXC (Proxmox) nesting=1, in systemd-nspawn SYSTEMD_NSPAWN_API_VFS_WRITABLE=1; ' +
      'under systemd drop ProtectKernelTunables, ProtectKernelLogs and ProcSubset',
  ],
  [
    // AppArmor's answer is "Permission denied".
    /(Failed to make \/ slave|newroot bind|pivot_root|old root).*: (Operation not permitted|Function not implemented)/,
    'a seccomp profile forbids mounts: in Docker use --security-opt seccomp=config/deploy/seccomp.json',
  ],
  [
    /setting up uid map|Failed to make \/ slave|loopback: Failed RTM_NEWADDR/,
    'AppArmor restricts user namespaces: in Docker use --security-opt apparmor=unconfined; elsewhere add a profile for ' +
      'bwrap, or set kernel.apparmor_restrict_unprivileged_userns=0',
  ],
  [
    /Can't (find source path|bind mount)|Permission denied/,
    'the user that engines run as cannot reach the data folder: other users must be able to enter all its parent folders (mode o+x)',
  ],
  [/ENOENT|not found/, 'bubblewrap is not installed: apt-get install bubblewrap'],
]

/**
 * Runs a program in a sandbox that tries what the sandbox must prevent. Takes about 50 ms.
 * Throws StartError with bwrap's message, the cause and the remedy.
 *
 * @param folder a job folder
 * @param work the folder that contains it
 */
export async function selfTest(launcher: Launcher, folder: string, work: string): Promise<void> {
  const canary = join(work, `canary-${randomUUID()}`)
  const lines: string[] = []
  await writeFile(canary, '')
  try {
    const running = launcher.start({ program: '/usr/bin/perl', args: ['-e', PROBE, canary], folder })
    running.listen((line) => lines.push(line))
    const { error } = await endWithin(running, TRIAL_TIMEOUT_MS)
    if (error) lines.push(error.message)
  } finally {
    await rm(canary, { force: true })
  }
  const done = lines.at(-1) === 'done'
  if (done && lines.length === 1) return
  const said = lines.filter((line) => line !== 'done').join('; ')
  const cause = done ? 'a sandboxed program could do what it must not' : CAUSES.find(([words]) => words.test(said))?.[1]
  throw new StartError(
    [
      `The sandbox does not work: ${said || 'no answer'}`,
      ...(cause ? [`Cause: ${cause}.`] : []),
      'Or set `sandbox: none` in the configuration to run engines without isolation (unsafe for untrusted files).',
    ].join('\n'),
  )
}
