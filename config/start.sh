#!/bin/sh
# npm start: set-up, then the service. The last step replaces this shell by exec, so that the process that npm started
# is the service: signals reach it and its exit code is npm's.
set -eu
config=$(dirname "$0")
# Who only asks for the version wants nothing installed.
[ "${1-}" = --version ] || . "$config/setup.sh"
exec sh "$config/run.sh" kernel/main.ts "$@"
