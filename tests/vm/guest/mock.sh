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

# becomes NAME EXPECTED COMMAND...: the output of the command is that within 15 s. EXPECTED that begins
# with $ is a command, because devices are probed in the background.
becomes() {
	local name=$1 wanted=$2 expected=$2 actual='' tenths=0
	shift 2
	while [ $tenths -lt 150 ]; do
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
