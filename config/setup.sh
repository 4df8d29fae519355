#!/bin/sh
# Runs setup.mjs, one at a time in a checkout. A signal stops it; apt-get, once started, ends in its own time.
# Scripts that have more to do source this file with `config` set to its folder: the signal then ends them too.
set -eu
: "${config:=$(dirname "$0")}"
if command -v flock >/dev/null; then
  flock --no-fork "$config/../package-lock.json" node "$config/setup.mjs" "$@" &
else
  node "$config/setup.mjs" "$@" &
fi
setup=$!
trap 'kill "$setup" 2>/dev/null; exit 143' TERM
trap 'kill "$setup" 2>/dev/null; exit 130' INT
wait "$setup"
trap - TERM INT
