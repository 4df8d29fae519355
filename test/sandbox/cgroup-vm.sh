#!/bin/sh
# Runs cgroup.test.ts where memory groups are available: in a separate kernel (Debian: user-mode-linux), on this
# machine's files, which it cannot change. First as root in a private cgroup namespace, as in a container. Then as a user
# who owns a group, as with systemd's Delegate=yes. Takes some minutes, because system calls are slow there.
set -eu
here=$(cd "$(dirname "$0")" && pwd -P)

if [ $$ != 1 ]; then
  out=$(mktemp)
  linux.uml mem=2G root=/dev/root rootfstype=hostfs ro init="$here/cgroup-vm.sh" quiet \
    con=null con0=null,fd:1 con1=null </dev/null 2>&1 | tee "$out"
  [ "$(grep -c '^passed as' "$out")" = 2 ]
  exit
fi

set +e
export PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/tmp TAP_TIMEOUT=300
mount -t proc proc /proc
mount -t tmpfs -o mode=1777 tmpfs /tmp
mount -t sysfs sysfs /sys
groups=/sys/fs/cgroup
mount -t cgroup2 cgroup2 $groups
echo 100000000 >/proc/sys/fs/epoll/max_user_watches
echo '+memory +pids' >$groups/cgroup.subtree_control
cd "$here/../.."
test='node_modules/.bin/node test/sandbox/cgroup.test.ts'

mkdir $groups/container $groups/unit
echo $$ >$groups/container/cgroup.procs
unshare --cgroup --mount sh -c "umount $groups && mount -t cgroup2 cgroup2 $groups && $test" && echo 'passed as root'
for file in '' cgroup.procs cgroup.threads cgroup.subtree_control; do chown 65534 $groups/unit/$file; done
sh -c "echo \$\$ >$groups/unit/cgroup.procs && export SYSTEMD_EXEC_PID=\$\$ &&
  exec setpriv --reuid 65534 --regid 65534 --clear-groups $test" && echo 'passed as a user'
echo o >/proc/sysrq-trigger
sleep 60
