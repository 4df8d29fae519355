#!/bin/sh
# npm test: set-up with what tests need, then type check, lint and tests; arguments are test files (default: all).
set -eu
config=$(dirname "$0")
root=$(cd "$config/.." && pwd -P)
set_up() { . "$config/setup.sh"; }
set_up --tests
mkdir -p "$root/.tap"
# Real files that tests use where they are present.
: "${ATHANOR_CORPUS:=$root/../shared/corpus}"
export ATHANOR_CORPUS
exec sh "$config/run.sh" config/test.ts "$@"
