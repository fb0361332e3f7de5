#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# cxl-spa events resolves entries and incidents, and acknowledges the latter, by the socket of a service.
. "${0%/*}/functions"
logs=$system/LogServices

# change STATUS WORD ARGUMENT...: cxl-spa events with these; its output and errors have the word.
change() {
	wanted=$1 word=$2
	shift 2
	status=0
	./cxl-spa events "$@" >"$scratch/said" 2>&1 || status=$?
	[ "$status" -eq "$wanted" ] || fail "events $*: status $status instead of $wanted: $(cat "$scratch/said")"
	grep -qF -- "$word" "$scratch/said" || fail "events $*: '$word' is not in: $(cat "$scratch/said")"
}

start_with_log plain-7.3
change 0 'entry 5 is resolved' --socket "$socket" --resolve 5 6
change 0 'entry 8 is resolved' --socket "$socket" --resolve 7 --resolve 8
for entry in 5 6 7 8; do
	request_as_is 200 GET "$logs/CXL/Entries/$entry"
	has '"Resolved":true'
done
change 1 'there is no entry 99' --socket "$socket" --resolve 99 9
request_as_is 200 GET "$logs/CXL/Entries/9"
has '"Resolved":true'
change 0 'incident 4 is acknowledged' --socket "$socket" --acknowledge 4 --note 'fan "ordered"'
request_as_is 200 GET "$logs/Incidents/Entries/4"
has '"State":"acknowledged"' '"Note":"fan \"ordered\""' "\"ChangedBy\":\"uid $(id -u)\""
change 0 'incident 4 is resolved' --socket "$socket" --resolve-incident 4
request_as_is 200 GET "$logs/CXL/Entries/4"
has '"Resolved":true'
change 1 'incident 4' --socket "$socket" --acknowledge 4
change 1 'there is no incident 777' --socket "$socket" --resolve-incident 777
grep -q "audit: PATCH $logs/Incidents/Entries/4 by - from uid $(id -u): 200 incident 4: acknowledged" "$scratch/err" ||
	fail "the change is not audited"

# Wrong usage changes nothing.
for number in 0x9 09 -1 1.5 9x 99999999999999999999999; do
	change 2 'requires the number of an entry' --socket "$socket" --resolve "$number"
done
change 2 'requires the number of an incident' --socket "$socket" --acknowledge mem0
change 2 'requires the number of an entry' --socket "$socket" --resolve 10 x
change 2 "unexpected operand '10'" 10
change 2 '--note belongs to an incident' --socket "$socket" --note x
change 2 'one line' --socket "$socket" --acknowledge 2 --note 'two
lines'
change 2 'more than 256 bytes' --socket "$socket" --acknowledge 2 --note "$(printf '%0257d' 0)"
change 2 '--follow' --socket "$socket" --resolve 10 --follow
change 2 '--json' --socket "$socket" --resolve 10 --json
change 2 '--state' --socket "$socket" --resolve 10 --state "$scratch/log"
request_as_is 200 GET "$logs/CXL/Entries/10"
has '"Resolved":false'
request_as_is 200 GET "$logs/Incidents/Entries/2"
has '"State":"open"'
stop

# Without the service nothing is written, and the first failure is the last one.
cp "$scratch/log/events.db" "$scratch/before"
change 1 'systemctl start cxl-redfishd' --socket "$socket" --resolve 10 11
[ "$(grep -c 'cannot connect' "$scratch/said")" -eq 1 ] || fail "it was tried again: $(cat "$scratch/said")"
cmp -s "$scratch/before" "$scratch/log/events.db" || fail "the log was written"
change 1 'cannot connect' --socket "$scratch/nothing/there" --acknowledge 2
change 1 'too long' --socket "/$(printf '%0200d' 0)" --acknowledge 2

# A program that is no service.
command -v python3 >/dev/null || skip "python3 is missing (Debian package: python3)"
answer_with() {
	rm -f "$socket" "$scratch/ready"
	python3 -c '
import socket, sys
listener = socket.socket(socket.AF_UNIX)
listener.bind(sys.argv[1])
listener.listen(1)
print("ready", flush=True)
client = listener.accept()[0]
client.recv(65536)
client.sendall(eval(sys.argv[2]))
client.close()' "$socket" "$1" >"$scratch/ready" &
	pid=$!
	for _ in $tries; do
		[ ! -s "$scratch/ready" ] || break
		sleep 0.1
	done
	change 1 "$2" --socket "$socket" --resolve 5
	wait "$pid" || :
	pid=
}
answer_with 'b"220 mail.example ESMTP\r\n"' 'the socket of another program'
answer_with 'b""' 'the socket of another program'
answer_with 'b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * 300000' 'longer than'
answer_with 'b"HTTP/1.1 503 Busy\r\n\r\n{\"error\":{\"@Message.ExtendedInfo\":[{\"Message\":\"Later.\"}]}}"' 'Later.'
answer_with 'b"HTTP/1.1 418 Teapot\r\n\r\n{\"error\":[[[["' 'HTTP status 418'
finish
