#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# What the service manager is told: ready, alive as often as it asks for, ending.
. "${0%/*}/functions"
needs_python

# listen: notes what is sent to $NOTIFY_SOCKET, a message per line, in $scratch/told.
listen() {
	: >"$scratch/told"
	python3 -c '
import os, socket
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(os.environ["NOTIFY_SOCKET"])
s.settimeout(60) # when the script is gone
print("bound", flush=True)
while True:
    print(s.recv(4096).decode(), flush=True)
' >"$scratch/told" &
	listener=$!
	for _ in $(seq 100); do
		! grep -q '^bound$' "$scratch/told" || return 0
		sleep 0.1
	done
	echo "no notify socket"
	exit 99
}

# told N MESSAGE: waits until it came N times.
told() {
	for _ in $(seq 100); do
		[ "$(grep -cx "$2" "$scratch/told")" -lt "$1" ] || return 0
		sleep 0.1
	done
	fail "$2 did not come $1 times: $(cat "$scratch/told")"
}

export NOTIFY_SOCKET="$scratch/notify"
listen
export WATCHDOG_USEC=500000
start zen5-doc --listen "unix:$socket"
told 1 READY=1
told 5 WATCHDOG=1
stop
told 1 STOPPING=1
kill "$listener"
rm "$NOTIFY_SOCKET"

# Nobody asked.
unset WATCHDOG_USEC
listen
start zen5-doc --listen "unix:$socket"
told 1 READY=1
sleep 1
! grep -q WATCHDOG "$scratch/told" || fail "WATCHDOG=1 without WATCHDOG_USEC"
stop
kill "$listener"
finish
