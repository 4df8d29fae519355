#!/bin/sh
# Runs tests with what they need: test.sh [--all] [--changed] [name …]. See test.ts.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd -P)
config=$root/config
set_up() { . "$config/setup.sh"; }
# With names, and the npm packages of the lock file: only what is compiled from the sources.
ready() { node -e 'import(process.argv[1]).then((npm) => process.exit(npm.npmIsComplete(process.argv[2], true) ? 0 : 1))' "$config/setup/npm.mjs" "$root"; }
named=no
for word in "$@"; do case $word in -*) ;; *) named=yes ;; esac; done
if [ $named = yes ] && ready; then set_up --no-install; else set_up --tests; fi
mkdir -p "$root/.tap"
# Real files, which some tests use if they are present.
: "${ATHANOR_CORPUS:=$root/../shared/corpus}"
# Where git finds its folder: run.sh mounts the checkout without it.
CHECKOUT=$root
export ATHANOR_CORPUS CHECKOUT
exec sh "$config/run.sh" test/run/test.ts "$@"
