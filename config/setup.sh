#!/bin/sh
# Runs setup.mjs, one process at a time per checkout. A signal stops it, but a running apt-get finishes first.
# Other scripts source this file, with `config` set to its folder, so that a signal also ends them.
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
