#!/bin/sh
# Runs install.sh, and then rest.sh under systemd without network, on a machine like this one whose changes are lost:
#   fresh-machine.sh NSPAWN FOLDER
# FOLDER/shared has both scripts, and gets their output. To be run in a mount namespace of its own: the file system of this
# machine is the lower layer of an overlay, which nobody writes to, and the container has a /tmp of its own.
set -eu
nspawn=$1 folder=$2
mkdir -p /run/systemd/nspawn
mount -t tmpfs tmpfs /run/systemd/nspawn
mkdir "$folder/machine"
mount -t tmpfs -o size=4g,mode=0755 tmpfs "$folder/machine"
cd "$folder/machine"
mkdir upper work root
mount -t overlay overlay -o lowerdir=/,upperdir=upper,workdir=work root

boot() {
  "$nspawn" --directory=root --register=no --keep-unit --machine=fresh --tmpfs=/tmp --tmpfs=/var/tmp \
    --bind="$folder/shared:/fresh" "$@"
}
boot --as-pid2 /bin/bash -c '[ -z "$(ls -A /tmp /var/tmp | grep -v :)" ] && bash -eux /fresh/install.sh >/fresh/install.log 2>&1'

units=root/etc/systemd/system
# They remove temporary files, of which this machine has none.
for name in setup setup-dev clean; do ln -s /dev/null "$units/systemd-tmpfiles-$name.service"; done
cat >"$units/fresh.service" <<'U'
[Unit]
After=basic.target
[Service]
Type=oneshot
# bubblewrap needs a whole /proc, as a machine has: docs/platforms.md.
ExecStartPre=/bin/sh -c 'mkdir /run/whole && mount -t proc proc /run/whole'
ExecStart=/bin/bash -c 'bash -eux /fresh/rest.sh >/fresh/rest.log 2>&1'
ExecStopPost=/bin/sh -c 'journalctl --no-pager >/fresh/journal; systemctl --no-block exit $EXIT_STATUS'
U
cat >"$units/fresh.target" <<'U'
[Unit]
Wants=fresh.service dbus.service
U
export SYSTEMD_NSPAWN_API_VFS_WRITABLE=1
boot --private-network --boot systemd.show_status=0 systemd.unit=fresh.target
