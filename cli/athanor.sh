#!/bin/sh
# The command `athanor`. npm links to this file.
set -eu
file=$(readlink -f "$0")
root=${file%/cli/*}
# Compiled modules are kept, as for the service: without them, Node would load its parser of TypeScript.
export NODE_COMPILE_CACHE="${NODE_COMPILE_CACHE:-$root/node_modules/.cache/athanor-compile}"
node=$root/node_modules/.bin/node
# The packages may be those of a project that depends on this one.
[ -x "$node" ] || node=node
exec "$node" "$root/cli/athanor.ts" "$@"
