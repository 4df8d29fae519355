#!/bin/sh
# npm start: setup, then the service. exec replaces this shell, so that the service receives npm's signals, and its exit code
# becomes npm's.
set -eu
config=$(dirname "$0")
# Printing the version needs no setup.
[ "${1-}" = --version ] || . "$config/setup.sh"
exec sh "$config/run.sh" kernel/main.ts "$@"
