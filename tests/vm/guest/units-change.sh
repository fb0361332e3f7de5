# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# Functions for systemd-changes.d/*.sh and systemd-mock.d/*.sh, in addition to units.sh: changes through
# the service and its change helper, as they are installed.
# shellcheck disable=SC2154 # of units.sh
work=$RESULTS/units
mkdir -p "$work"
host=/redfish/v1/Systems/Host

# configure LINE...: the configuration of the service.
configure() {
	mkdir -p "$(dirname "$configuration")"
	printf '%s\n' "listen = unix:$socket" "poll = 1" "$@" >"$configuration"
}

# The journal is written by another process.
logged() { # UNIT TEXT
	journalctl --sync
	journalctl --no-pager --unit "$1" | grep -qF -- "$2"
}

# value URI FILTER: what jq finds in the resource.
value() {
	curl -s --max-time 30 --unix-socket "$socket" "http://localhost$1" | jq -c -r "$2"
}

# request METHOD URI [BODY [CURL-OPTION...]]: the status, of the task when there is one. The entity tag of
# the resource is sent, which is read again when it is another one by then; headers and body of the answer are in $work.
request() {
	local method=$1 uri=$2 body=${3:-} tag resource monitor status=412 tenths=0 tries=0
	resource=${uri%/Actions/*}
	shift 2
	[ $# -eq 0 ] || shift
	[ -z "$body" ] || set -- -H 'Content-Type: application/json' -d "$body" "$@"
	while [ "$status" = 412 ] && [ $tries -lt 5 ]; do
		tag=$(curl -s --max-time 30 -o /dev/null -D - --unix-socket "$socket" "http://localhost$resource" |
			tr -d '\r' | sed -n 's/^ETag: //Ip')
		status=$(curl -s --max-time 120 --unix-socket "$socket" -X "$method" -H "If-Match: $tag" -D "$work/headers" \
			-o "$work/body" -w '%{http_code}' "$@" "http://localhost$uri")
		tries=$((tries + 1))
	done
	monitor=$(location)
	while [ "$status" = 202 ] && [ $tenths -lt 1800 ]; do
		sleep 0.5
		tenths=$((tenths + 5))
		status=$(curl -s --max-time 30 --unix-socket "$socket" -D "$work/headers" -o "$work/body" -w '%{http_code}' \
			"http://localhost$monitor")
	done
	echo "$method $uri: $status: $(cat "$work/body")" >>"$work/answers"
	echo "$status"
}

location() {
	tr -d '\r' <"$work/headers" | sed -n 's,^Location: \(http://[^/]*\)\{0\,1\},,Ip'
}

# answered NAME EXPECTED STATUS: of the last request; if it is another status, the answer is the reason.
answered() {
	if [ "$3" = "$2" ]; then
		ok "$1"
	else
		not_ok "$1" "expected $2, found $3: $(head -c 700 "$work/body")"
	fi
}

# answers NAME STATUS METHOD URI [BODY [CURL-OPTION...]]: what the request is answered with.
answers() {
	local name=$1 expected=$2
	shift 2
	answered "$name" "$expected" "$(request "$@")"
}

# Faults that pass by themselves: the change helper is away, which is answered with 405 or 503; it had no time to look at all
# processes (DAX_HOLDERS_MS), so that it is not known who has the memory.
helper_is_away() {
	[ "$1" = 405 ] || [ "$1" = 503 ]
}
use_is_not_seen() {
	grep -q "it cannot be seen who" "$work/body"
}

# answers_after PASSES NAME STATUS METHOD URI [BODY]: as answers, repeated for three minutes while PASSES STATUS is true.
answers_after() {
	local passes=$1 name=$2 expected=$3 status seconds=0
	shift 3
	status=$(request "$@")
	while [ $seconds -lt 180 ] && "$passes" "$status"; do
		sleep 1
		seconds=$((seconds + 1))
		status=$(request "$@")
	done
	answered "$name" "$expected" "$status"
}

# because NAME TEXT: the last answer has that text.
because() {
	contains "$1" "$2" "$work/body"
}

# becomes NAME EXPECTED COMMAND...: the output of the command becomes that.
becomes() {
	local name=$1 expected=$2 actual='' tenths=0
	shift 2
	while [ $tenths -lt 1800 ]; do
		actual=$("$@")
		[ "$actual" != "$expected" ] || break
		sleep 0.5
		tenths=$((tenths + 5))
	done
	same "$name" "$expected" "$actual"
}

# is_answered STATUS URI: whether a GET is.
is_answered() {
	[ "$(curl -s --max-time 20 -o /dev/null -w '%{http_code}' --unix-socket "$socket" "http://localhost$2")" = "$1" ]
}

# allows URI METHOD: whether it is in Allow.
allows() {
	curl -s --max-time 20 -o /dev/null -D - --unix-socket "$socket" "http://localhost$1" | tr -d '\r' |
		grep -i '^Allow:' | grep -qw "$2"
}

# start_units LINE...: users, device nodes, and the service with this configuration.
start_units() {
	check "the users are made" systemd-sysusers
	udevadm control --reload
	udevadm trigger --subsystem-match=cxl --action=change
	udevadm settle --timeout=30
	configure "$@"
	check "the service starts" systemctl start "$service"
	check "the change helper is started" wait_for systemctl is-active "$change_helper"
	check "the service has found it" wait_for logged "$service" "changes of this host are made by cxl-redfish-change-helper"
	check "devices are shown" wait_for is_answered 200 "$host/Memory"
}

# memory_of MEMDEV: the URI of its Memory.
memory_of() {
	printf '%s/Memory/cxl-%016x' "$host" "$(cat "/sys/bus/cxl/devices/$1/serial")"
}
