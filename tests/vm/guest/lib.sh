# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# Functions for tests.d/*.sh; each starts with ". /lib/vm/lib.sh". The machine is described by
# $VM_SERIES (7.x, 6.12), $VM_RULE and $VM_FAULT (values of firmware/driver.c). Files in $RESULTS are
# sent with the results.

ok() {
	echo "ok $1"
}

not_ok() { # NAME REASON...
	local name=$1
	shift
	echo "not ok $name: $(echo "$*" | tr '\n' ' ')"
}

# check NAME COMMAND...: when the command fails, its last lines of output are the reason.
check() {
	local name=$1 output
	shift
	if output=$("$@" 2>&1); then
		ok "$name"
	else
		not_ok "$name" "$(echo "$output" | tail -n 3)"
	fi
}

# same NAME EXPECTED ACTUAL
same() {
	if [ "$2" = "$3" ]; then
		ok "$1"
	else
		not_ok "$1" "expected '$2', found '$3'"
	fi
}

# wait_for COMMAND...: waits until the command succeeds, for three minutes; no host is too slow for that.
wait_for() {
	local tenths=1800
	while ! "$@" >/dev/null 2>&1; do
		[ "$tenths" -gt 0 ] || return 1
		tenths=$((tenths - 1))
		sleep 0.1
	done
}

# cxl_devices: one line for each memory device, "SERIAL BDF BASE POSITION", by serial number.
# Bases and positions are those of the firmware; memN differs from boot to boot.
cxl_devices() {
	local memdev serial bdf base_and_position
	for memdev in /sys/bus/cxl/devices/mem*; do
		serial=$(cat "$memdev/serial")
		bdf=$(basename "$(readlink -f "$memdev/..")")
		case $serial in
		0xabc0) base_and_position="0x210000000 0" ;;
		0xabc1) base_and_position="0x210000000 1" ;;
		0xabc2) base_and_position="0x310000000 0" ;;
		0xabc3) base_and_position="0x310000000 1" ;;
		*) continue ;;
		esac
		echo "$serial $bdf $base_and_position"
	done | sort
}

# Size of each device; two devices interleave, in chunks of 256 bytes.
# shellcheck disable=SC2034 # for the tests
DEVICE_SIZE=$((256 << 20))

# handler_calls: the number of calls of the firmware's handler since power on.
handler_calls() {
	local first='' second=x
	while [ "$first" != "$second" ]; do
		first=$second
		second=$(dd if=/dev/port bs=1 skip=224 count=3 2>/dev/null | hexdump -v -e '/1 "%u "')
	done
	# shellcheck disable=SC2086
	set -- $second
	echo $(($1 | $2 << 8 | $3 << 16))
}

# order WORD: selects the behaviour of the handler from now on.
order() {
	local code
	case $1 in
	none) code=0 ;;
	error-page) code=1 ;; # EFI_DEVICE_ERROR for DPA 0x4000 to 0x4fff
	slow) code=2 ;;	      # 0.1 s a call
	hold) code=3 ;;	      # a call returns when the order changes
	low-bits) code=4 ;;   # wrong low 8 bits
	outside) code=5 ;;    # an SPA in no window
	other-block) code=6 ;; # an SPA of the next interleave block
	shared) code=7 ;;     # one SPA for both devices
	esac
	# shellcheck disable=SC2059
	printf "\\$code" | dd of=/dev/port bs=1 seek=227 conv=notrunc 2>/dev/null
}

# virtio_port NAME: the path of its device.
virtio_port() {
	local port
	for port in /sys/class/virtio-ports/*; do
		[ "$(cat "$port/name")" != "$1" ] || echo "/dev/$(basename "$port")"
	done
}

# qmp_open, qmp COMMAND [ARGUMENTS], qmp_close: QEMU's monitor. ARGUMENTS are the members of a JSON
# object. When QEMU returns an error, qmp prints it and fails.
qmp_open() {
	exec 7<>"$(virtio_port qmp)" || return
	# QEMU takes all tests for one client: after the first one's greeting it has other commands only.
	qmp qmp_capabilities >/dev/null || qmp query-status
}
qmp_close() {
	exec 7>&-
}
qmp() {
	local line
	echo "{\"execute\": \"$1\", \"arguments\": {${2:-}}}" >&7
	while read -r -t 10 line <&7; do
		case $line in
		*'"error"'*)
			echo "$1: $line"
			return 1
			;;
		*'"return"'*) return 0 ;;
		esac
	done
	echo "$1: QEMU does not answer"
	return 1
}

# load_cxl_prm: fails with a message when the module is missing or does not load.
load_cxl_prm() {
	if [ ! -f /lib/modules/own/cxl_prm.ko ]; then
		echo "no cxl_prm.ko in the initramfs"
		return 1
	fi
	[ -d /sys/module/cxl_prm ] || insmod /lib/modules/own/cxl_prm.ko "$@"
}

# needs_program NAME: skips the test when the program was not passed to tests/vm/check.
needs_program() {
	command -v "$1" >/dev/null && return
	echo "# $(basename "$0") is skipped: $1 is not available"
	exit 0
}

# fields KEY...: the values of these keys, in one line for each line of standard input that is a
# JSON object. The first of a key that occurs several times is used. Without regular expressions,
# which busybox compiles again for each line.
fields() {
	awk -v keys="$*" 'BEGIN { n = split(keys, key, " ") }
	index($0, "{") {
		line = ""
		for (i = 1; i <= n; i++) {
			at = index($0, "\"" key[i] "\": ")
			value = at ? substr($0, at + length(key[i]) + 4) : "-"
			if (substr(value, 1, 1) == "\"") {
				value = substr(value, 2)
				value = substr(value, 1, index(value, "\"") - 1)
			} else if (index(value, ",")) {
				value = substr(value, 1, index(value, ",") - 1)
			}
			line = line (i > 1 ? " " : "") value
		}
		print line
	}'
}

# contains NAME TEXT FILE: checks that the file contains the text, also where explain has divided its line.
contains() {
	if grep -qF -- "$2" "$3" || tr -s ' \n' ' ' <"$3" | grep -qF -- "$2"; then
		ok "$1"
	else
		not_ok "$1" "'$2' is not in: $(head -c 400 "$3")"
	fi
}

# is_estimate_of SPA FIRST LAST EXACT SOURCE: whether cxl-spa's answer is the SPA's interleave block.
is_estimate_of() {
	[ "$4 $5" = "false estimate" ] && [ $(($2)) -le $(($1)) ] && [ $(($3)) -ge $(($1)) ] &&
		[ $(($3 - $2)) -lt 512 ]
}

# same_lines EXPECTED ACTUAL: fails with the first differences.
same_lines() {
	cmp -s "$1" "$2" && return
	echo "$(wc -l <"$1") lines expected, $(wc -l <"$2") found, different:" \
		"$(diff "$1" "$2" | grep '^[-+][^-+]' | head -n 2 | tr '\n' ' ')"
	return 1
}

# on_processors MASK: sets the CPUs of the calling script, its children, and the handler. A call
# involves three threads, and emulated CPUs are slow to wake each other: on one CPU a call takes a
# tenth of the time. A script that sets 1 restores 3 at its end.
on_processors() {
	taskset -p "$1" $$ >/dev/null
	echo "$1" >/sys/devices/virtual/workqueue/cpumask
}

# hundredths: the time since power on in 1/100 s.
hundredths() {
	cut -d ' ' -f 1 /proc/uptime | tr -d .
}

# figure NAME VALUE: a measurement, printed by tests/vm/check and not tested.
figure() {
	echo "figure $1: $2"
}

# reload_cxl_prm PARAMETER...
reload_cxl_prm() {
	[ ! -d /sys/module/cxl_prm ] || rmmod cxl_prm
	load_cxl_prm "$@"
}

# has_read SOCKET URI: a service that has just started says 503 until it has read the host, or its log.
has_read() {
	local status
	status=$(curl -s -o /dev/null --max-time 60 -w '%{http_code}' --unix-socket "$1" "http://localhost$2")
	[ "$status" != 000 ] && [ "$status" != 503 ]
}

# start_redfishd SOCKET LOG [OPTION...]: sets $redfishd, and returns when it answers and has read the host, and with
# --state its log; the socket exists earlier.
start_redfishd() {
	local socket=$1 log=$2 tenths=0
	shift 2
	cxl-redfishd --listen "unix:$socket" "$@" >"$log" 2>&1 &
	redfishd=$!
	while ! grep -qs "^listening on" "$log" && [ $tenths -lt 1800 ]; do
		sleep 0.1
		tenths=$((tenths + 1))
	done
	command -v curl >/dev/null && kill -0 "$redfishd" || return 0
	wait_for has_read "$socket" /redfish/v1/Systems/Host
	case " $* " in
	*' --state '*) wait_for has_read "$socket" "/redfish/v1/Systems/Host/LogServices/CXL/Entries?\$top=1" ;;
	esac
}

# stop_redfishd SOCKET
stop_redfishd() {
	kill "$redfishd"
	wait "$redfishd"
	same "cxl-redfishd ends with status 0 at SIGTERM" 0 $?
	rm -f "$1"
}

# window_id WINDOW, region_id REGION: the Ids of their resources. A region without an address has its name.
window_id() {
	printf 'window-%016x' "$(cat "/sys/bus/cxl/devices/$1/start")"
}
region_id() {
	local uuid base
	uuid=$(cat "/sys/bus/cxl/devices/$1/uuid" 2>/dev/null)
	base=$(cat "/sys/bus/cxl/devices/$1/resource" 2>/dev/null)
	case $uuid:$base in
	*[1-9a-f]*:*) echo "$uuid" ;;
	*: | *:0xffffffffffffffff) echo "$1" ;;
	*) printf 'spa-%016x' "$base" ;;
	esac
}
