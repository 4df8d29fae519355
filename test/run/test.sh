#!/bin/sh
# npm test: setup with the tests' packages, then type check, lint and tests. Arguments are test files (default: all).
set -eu
config=$(dirname "$0")
root=$(cd "$config/.." && pwd -P)
set_up() { . "$config/setup.sh"; }
set_up --tests
mkdir -p "$root/.tap"
# Real files, which some tests use if they are present.
: "${ATHANOR_CORPUS:=$root/../shared/corpus}"
export ATHANOR_CORPUS
exec sh "$config/run.sh" config/test.ts "$@"
