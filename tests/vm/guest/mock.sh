# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# Functions for mock.d/*.sh, in addition to lib.sh.
# shellcheck source=/dev/null
. /lib/vm/lib.sh
needs_program cxl-redfishd
needs_program curl
needs_program jq

socket=/run/redfish
host=/redfish/v1/Systems/Host

# get URI: the resource.
get() {
	curl -s --max-time 30 --unix-socket "$socket" "http://localhost$1"
}

# mock_of MEMDEV: the files by which its mock device is set.
mock_of() {
	echo "/sys/bus/platform/devices/$(basename "$(readlink -f "/sys/bus/cxl/devices/$1/..")")"
}

# memdev_of MOCK: memN of cxl_mem.0 and so on; N differs from boot to boot.
memdev_of() {
	basename "/sys/bus/platform/devices/$1"/mem[0-9]*
}

# memory_id MEMDEV: its Id in Redfish.
memory_id() {
	printf 'cxl-%016x' "$(cat "/sys/bus/cxl/devices/$1/serial")"
}

# becomes NAME EXPECTED COMMAND...: the output of the command becomes that. EXPECTED that begins
# with $ is a command, because devices are probed in the background.
becomes() {
	local name=$1 wanted=$2 expected=$2 actual='' tenths=0
	shift 2
	while [ $tenths -lt 1800 ]; do
		case $wanted in '$'*) expected=$(${wanted#$}) ;; esac
		actual=$("$@")
		[ "$actual" != "$expected" ] || break
		sleep 0.5
		tenths=$((tenths + 5))
	done
	same "$name" "$expected" "$actual"
}

# value URI FILTER: what jq finds in the resource.
value() {
	get "$1" | jq -c -r "$2"
}

# compare FILTER FILE: the filter makes an array [NAME, EXPECTED, ACTUAL] for each property. In one
# process, because jq takes long to start on an emulated processor.
compare() {
	jq -r "def all_rows: $1; all_rows | if .[1] == .[2] then \"ok \" + .[0]
		else \"not ok \" + .[0] + \": expected \" + (.[1] | tojson) + \", found \" + (.[2] | tojson) end" "$2"
}

# tag URI: the entity tag of the resource.
tag() {
	curl -s --max-time 60 -o /dev/null -D - --unix-socket "$socket" "http://localhost$1" |
		tr -d '\r' | sed -n 's/^ETag: //Ip'
}

# header NAME: of the last answer.
header() {
	# shellcheck disable=SC2154 # set by the test
	tr -d '\r' <"$work/head" | sed -n "s/^$1: //Ip"
}

# send METHOD URI [ARGUMENT...]: a request; its status is in $status, head and body are in files.
send() {
	local method=$1 uri=$2
	shift 2
	status=$(curl -s --max-time 120 --unix-socket "$socket" -X "$method" -D "$work/head" -o "$work/body" \
		-w '%{http_code}' "$@" "http://localhost$uri")
}

# begin METHOD URI [BODY]: with the entity tag of the resource that it changes. The body may have a
# passphrase, and is not in curl's arguments.
begin() {
	: >"$work/body"
	if [ $# -lt 3 ]; then
		send "$1" "$2" -H "If-Match: $(tag "${2%%/Actions/*}")"
		return
	fi
	printf '%s' "$3" >/run/request
	send "$1" "$2" -H "If-Match: $(tag "${2%%/Actions/*}")" -H 'Content-Type: application/json' \
		--data-binary @/run/request
	rm /run/request
}

# monitor: the URI of the Task monitor of the last answer.
monitor() {
	header Location | sed 's,^http://[^/]*,,'
}

# finish [MONITOR]: waits for the Task of the last answer, if it is one, or for that of the monitor.
# $status and the body are then what became of it.
# shellcheck disable=SC2120 # tests give arguments
finish() {
	local monitor=${1:-} tenths=0
	if [ -z "$monitor" ]; then
		[ "$status" = 202 ] || return
		monitor=$(monitor)
	fi
	send GET "$monitor"
	while [ "$status" = 202 ] && [ $tenths -lt 1800 ]; do
		sleep 0.5
		tenths=$((tenths + 5))
		send GET "$monitor"
	done
}

# change NAME STATUS METHOD URI [BODY]: what becomes of a change.
change() {
	local name=$1 wanted=$2
	shift 2
	begin "$@"
	finish
	if [ "$status" = "$wanted" ]; then
		ok "$name"
	else
		not_ok "$name" "expected $wanted, found $status: $(head -c 1000 "$work/body")"
	fi
}

# says NAME TEXT: the last answer has the text.
says() {
	contains "$1" "$2" "$work/body"
}

# status_of URI: of a GET.
status_of() {
	send GET "$1"
	echo "$status"
}

# allow_of URI: its methods.
allow_of() {
	send GET "$1"
	header Allow
}

# shows NAME EXPECTED URI FILTER
shows() {
	same "$1" "$2" "$(value "$3" "$4")"
}

# having FILE_OF_TEXTS FILE...: those of the files that have one of the texts, a line each. grep itself sees
# nothing after a NUL of a line.
having() {
	local texts=$1 file
	shift
	for file in "$@"; do
		[ ! -f "$file" ] || ! tr '\000' '\n' <"$file" | grep -qF -f "$texts" || echo "$file"
	done
}
