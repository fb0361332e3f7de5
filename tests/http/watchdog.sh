#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Notifications to the service manager: ready, watchdog at the requested rate, stopping.
. "${0%/*}/functions"
needs_python

# listen: records what is sent to $NOTIFY_SOCKET, a message per line, in $scratch/notified.
listen() {
	: >"$scratch/notified"
	python3 -c '
import os, socket
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(os.environ["NOTIFY_SOCKET"])
s.settimeout(60) # when the script is gone
print("bound", flush=True)
while True:
    print(s.recv(4096).decode(), flush=True)
' >"$scratch/notified" &
	listener=$!
	for _ in $tries; do
		! grep -q '^bound$' "$scratch/notified" || return 0
		sleep 0.1
	done
	echo "no notify socket"
	exit 99
}

# notified N MESSAGE: waits until it was received N times.
notified() {
	for _ in $tries; do
		[ "$(grep -cx "$2" "$scratch/notified")" -lt "$1" ] || return 0
		sleep 0.1
	done
	fail "$2 was not received $1 times: $(cat "$scratch/notified")"
}

export NOTIFY_SOCKET="$scratch/notify"
listen
export WATCHDOG_USEC=500000
start zen5-doc --listen "unix:$socket"
notified 1 READY=1
notified 5 WATCHDOG=1
stop
notified 1 STOPPING=1
kill "$listener"
rm "$NOTIFY_SOCKET"

# Without WATCHDOG_USEC.
unset WATCHDOG_USEC
listen
start zen5-doc --listen "unix:$socket"
notified 1 READY=1
sleep 1
! grep -q WATCHDOG "$scratch/notified" || fail "WATCHDOG=1 without WATCHDOG_USEC"
stop
kill "$listener"
finish
