#!/bin/sh
# Runs a service with its data on a separate disk of a few megabytes, in a mount namespace that ends with it.
# full-disk.sh MEGABYTES FOLDER COMMAND...: mounts a memory file system on FOLDER and runs COMMAND.
set -eu
megabytes=$1 folder=$2
shift 2
exec unshare --mount --propagation private sh -c '
  mount -t tmpfs -o "size=${1}m,mode=0711" tmpfs "$2"
  shift 2
  exec "$@"
' sh "$megabytes" "$folder" "$@"
