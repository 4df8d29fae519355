#!/bin/sh
# Runs cgroup.test.ts where memory groups are available: in a separate kernel (Debian: user-mode-linux), on this
# machine's files, which it cannot change. First as root in a private cgroup namespace, as in a container. Then as a user
# who owns a group, as with systemd's Delegate=yes, without and with a second user for engines. Takes some minutes, because
# system calls are slow there.
set -eu
here=$(cd "$(dirname "$0")" && pwd -P)

if [ $$ != 1 ]; then
  out=$(mktemp)
  linux.uml mem=2G root=/dev/root rootfstype=hostfs ro init="$here/cgroup-vm.sh" quiet \
    con=null con0=null,fd:1 con1=null </dev/null 2>&1 | tee "$out"
  [ "$(grep -c '^passed as' "$out")" = 3 ]
  exit
fi

set +e
export PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/tmp TAP_TIMEOUT=300
mount -t proc proc /proc
mount -t tmpfs -o mode=1777 tmpfs /tmp
mount -t sysfs sysfs /sys
groups=/sys/fs/cgroup
mount -t cgroup2 cgroup2 $groups
echo '+memory +pids' >$groups/cgroup.subtree_control
cd "$here/../.."
test='node_modules/.bin/node test/sandbox/cgroup.test.ts'

mkdir $groups/container $groups/unit $groups/mapped
echo $$ >$groups/container/cgroup.procs
unshare --cgroup --mount sh -c "umount $groups && mount -t cgroup2 cgroup2 $groups && $test" && echo 'passed as root'

# In a group of its own, through the command.
as_user() {
  for file in '' cgroup.procs cgroup.threads cgroup.subtree_control; do chown 65534 "$groups/$1/$file"; done
  sh -c "echo \$\$ >$groups/$1/cgroup.procs && export SYSTEMD_EXEC_PID=\$\$ &&
    exec setpriv --reuid 65534 --regid 65534 --clear-groups ${2-} $test" && echo "passed as a user in $1"
}
as_user unit
uid=$(id -u athanor) gid=$(id -g athanor)
echo "nobody:$uid:1" >/tmp/subuid && mount --bind /tmp/subuid /etc/subuid
echo "nobody:$gid:1" >/tmp/subgid && mount --bind /tmp/subgid /etc/subgid
as_user mapped "unshare --user --map-root-user --map-users=$uid,$uid,1 --map-groups=$gid,$gid,1"
echo o >/proc/sysrq-trigger
sleep 60
