#!/bin/sh
# Shows the table's page on the whole screen, once there is one, and again should Chromium fall.
url=${1:-http://localhost:8080/}
chromium=$(command -v chromium || command -v chromium-browser) || {
    echo "kiosk: Chromium is not installed: sudo apt-get install chromium" >&2
    exit 1
}

until python3 -c 'import sys, urllib.request; urllib.request.urlopen(sys.argv[1], timeout=5)' "$url" 2>/dev/null; do
    sleep 1
done
while :; do
    # A profile of its own; nothing that lies over the page, asks, zooms, or swipes back.
    "$chromium" --kiosk --ozone-platform=wayland --user-data-dir="${XDG_CACHE_HOME:-$HOME/.cache}/titusind-kiosk" \
        --no-first-run --noerrdialogs --hide-crash-restore-bubble --disable-features=Translate \
        --overscroll-history-navigation=0 --disable-pinch --password-store=basic "$url"
    sleep 2
done
