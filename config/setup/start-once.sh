#!/bin/sh
# Starts the service once and ends it when it is healthy, so that Node stores the compiled modules in NODE_COMPILE_CACHE.
# The image runs this as the user of its service, because Node keeps them per user: a read-only root can store none later.
# There may be no namespaces while an image is built, and no file is converted: so this start has no sandbox.
set -eu
cd "$(dirname "$0")/../.."

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
echo 'sandbox: none' >"$folder/config.yaml"
export CONFIG_FILE="$folder/config.yaml" DATA_DIR="$folder/data" HOST=127.0.0.1 PORT="${PORT:-38417}" NODE_ENV=development

sh config/run.sh kernel/main.ts >"$folder/log" 2>&1 &
service=$!
until node_modules/.bin/node config/health-check.ts 2>/dev/null; do
  kill -0 "$service" 2>/dev/null || { cat "$folder/log" >&2 && exit 1; }
done
kill "$service"
wait "$service"
