#!/usr/bin/env bash
# The journeys need a Chromium. Finds one, installs Debian's where it may, else says what is skipped.
set -u
for name in "${CALLCHART_CHROMIUM:-}" chromium chromium-browser google-chrome google-chrome-stable; do
  [ -n "$name" ] && command -v "$name" >/dev/null 2>&1 && exit 0
done
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
  echo "Installing Chromium for the journeys ..."
  (apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium fonts-liberation) >/dev/null 2>&1
  command -v chromium >/dev/null 2>&1 && exit 0
fi
echo "Missing: Chromium. The journeys in a real browser are skipped; install chromium, or name one in CALLCHART_CHROMIUM." >&2
exit 0
