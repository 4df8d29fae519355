#!/bin/sh
# Runs one of the project's programs with Node 24:  run.sh kernel/main.ts [argument …]
#
# As root, engines run as the user athanor, which cannot enter closed folders such as /root. So the programs run in a private
# mount namespace, with the checkout at /run/athanor/app and the data folder at /run/athanor/data. Nobody else sees these
# mounts, and no parent folder must be opened. Each start has its own namespace.
#
# As another user to whom root has given the IDs of athanor (subuid(5), subgid(5)), the service runs in a user namespace that
# has both users. There it is root, but outside it has only the rights of its user. Engines run as athanor, so they cannot use
# up what the kernel counts by user, such as epoll watches, without which Node aborts.
set -eu

# A small young generation: with few malloc arenas, a third less memory at the same speed. Compiled modules are kept: without
# them, Node would load its parser of TypeScript.
as= # the words of a command that runs the program
serve() {
  export MALLOC_ARENA_MAX=1 NODE_COMPILE_CACHE="${NODE_COMPILE_CACHE:-$PWD/node_modules/.cache/athanor-compile}"
  exec $as "$node" --max-semi-space-size=2 "$@"
}

# Inside the namespace: run.sh --inside ROOT NODE PROGRAM [argument …]
if [ "${1-}" = --inside ]; then
  root=$2 node=$3 program=$4
  shift 4
  # Prepared elsewhere, then moved: a test that starts the service is already in such a namespace.
  aside=/run/athanor.new
  mount_all() {
    mkdir -p /run/athanor "$aside" && mount -t tmpfs -o size=4m,mode=0755 athanor "$aside" || return 1
    mkdir "$aside/app" || return 1
    if [ -d "$DATA_DIR" ]; then mkdir "$aside/data" && mount --bind "$DATA_DIR" "$aside/data" || return 1; fi
    # Entry by entry, because the checkout itself may be closed, too.
    for entry in "$root"/* "$root"/.[!.]*; do
      [ -e "$entry" ] || continue
      name=${entry##*/}
      case $name in .git | data) continue ;; esac
      if [ -d "$entry" ]; then mkdir "$aside/app/$name"; else : >"$aside/app/$name"; fi
      mount --bind "$entry" "$aside/app/$name" || return 1
    done
    mount --move "$aside" /run/athanor
  }
  if mount_all; then
    if [ -d /run/athanor/data ]; then export DATA_DIR_ON_HOST="$DATA_DIR" DATA_DIR=/run/athanor/data; fi
    cd /run/athanor/app
    case $node in "$root"/*) node=/run/athanor/app/${node#"$root"/} ;; esac
    serve "/run/athanor/app/$program" "$@"
  fi
  echo 'Warning: mounts are not permitted here; engines may be unable to reach their files.' >&2
  serve "$program" "$@"
fi

root=$(cd "$(dirname "$0")/.." && pwd -P)
program=$1
shift

absolute() { case $1 in /*) echo "$1" ;; *) echo "$PWD/$1" ;; esac; }
for name in CONFIG_FILE TLS_CERT TLS_KEY JWT_SECRET_FILE JWT_SECRET_PREVIOUS_FILE DATABASE_URL_FILE REDIS_URL_FILE \
  SMTP_URL_FILE METRICS_TOKEN_FILE; do
  eval "path=\${$name-}"
  if [ -n "$path" ]; then export "$name=$(absolute "$path")"; fi
done
DATA_DIR=$(absolute "${DATA_DIR:-$root/data}")
export DATA_DIR
cd "$root"

node=$root/node_modules/.bin/node
if [ ! -x "$node" ]; then
  node=$(command -v node || true)
  case $("${node:-false}" --version || true) in
    v24.*) ;;
    *) echo 'Athanor needs Node 24; npm run setup installs it.' >&2 && exit 78 ;;
  esac
fi

# This needs no data folder, and creates none.
if [ "${1-}" = --version ]; then exec "$node" "$program" --version; fi

if [ "$(id -u)" = 0 ]; then
  # Only its owner and the engines' user can enter the data folder. Admin commands neither create nor change it. The program
  # itself reports errors.
  if [ "$program" != kernel/admin.ts ]; then
    [ -d "$DATA_DIR" ] || mkdir -p -m 0710 "$DATA_DIR" || true
    if chgrp athanor "$DATA_DIR"; then chmod g+x "$DATA_DIR"; else chmod o+x "$DATA_DIR"; fi || true
  fi 2>/dev/null
  if unshare --mount --propagation private true 2>/dev/null; then
    exec unshare --mount --propagation private sh config/run.sh --inside "$root" "$node" "$program" "$@"
  fi
  echo 'Warning: private mounts are not permitted here; engines may be unable to reach their files.' >&2
elif [ "$program" = kernel/main.ts ] && uid=$(id -u athanor 2>/dev/null) && gid=$(id -g athanor); then
  as="unshare --user --map-root-user --map-users=$uid,$uid,1 --map-groups=$gid,$gid,1"
  # Else without the capabilities by which a unit of systemd allows the namespace: bwrap refuses to have any.
  $as setpriv --reuid="$uid" --regid="$gid" --clear-groups true 2>/dev/null || as='setpriv --inh-caps=-all'
fi
serve "$program" "$@"
