#!/usr/bin/env bash
# Says in plain words what is missing. `--python` prints the Python to use instead.
set -u
python=""
for name in python3.13 python3.12 python3.11 python3 python; do
  path=$(command -v "$name" 2>/dev/null) || continue
  "$path" -c 'import sys; sys.exit(not sys.version_info >= (3, 11))' 2>/dev/null && { python=$path; break; }
done
if [ "${1:-}" = "--python" ]; then
  [ -n "$python" ] && echo "$python"
  exit 0
fi
missing=0
say() { echo "Missing: $1" >&2; missing=1; }
[ -n "$python" ] || say "Python 3.11 or newer. Install python3.11 (with its venv module) and try again."
if [ -n "$python" ] && ! "$python" -c 'import venv, ensurepip, sqlite3, ssl' 2>/dev/null; then
  say "the venv, ensurepip, sqlite3 or ssl module of $python (Debian: apt-get install python3-venv)."
fi
if ! command -v node >/dev/null 2>&1; then
  say "Node.js 20 or newer. The page is built with it."
elif [ "$(node -p 'Number(process.versions.node.split(".")[0]) >= 20')" != "true" ]; then
  say "Node.js 20 or newer; this is $(node --version)."
fi
command -v npm >/dev/null 2>&1 || say "npm (it comes with Node.js)."
[ $missing -eq 0 ] || exit 1
