#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Devices that answer wrong, poll after poll: the service goes on, and says once why.
. "${0%/*}/functions"
command -v zstd >/dev/null || skip "zstd is missing (Debian package: zstd)"

for seconds in 0 -1 x 1.5 86401 99999999999999999999; do
	refused_start 2 "--poll" "--poll requires a number from 1 to 86400" -- --listen "unix:$socket" --poll "$seconds"
done
refused_start 2 "--poll" "the argument SECONDS of --poll is empty" -- --listen "unix:$socket" --poll ''

# said N TEXT: waits for a line of the log with that text, and fails unless there are N of them.
said() {
	for _ in $tries; do
		! grep -qF -- "$2" "$scratch/err" || break
		sleep 0.1
	done
	[ "$(grep -cF -- "$2" "$scratch/err")" -eq "$1" ] ||
		fail "the log does not say '$2' $1 times: $(cat "$scratch/err")"
}

# answer MEMDEV COMMAND BYTE...: what it answers from now on, in octal; replaced at once.
answer() {
	file=$answering/mbox/$1/$2.bin
	shift 2
	for byte; do
		# shellcheck disable=SC2059 # the format is the byte
		printf "\\$byte"
	done >"$file.new"
	mv "$file.new" "$file"
}

# polled: until all devices were read again: mem1's temperature is another one each time, and of two polls that show
# it the second began after this did.
temperature=100
polled() {
	for _ in 1 2; do
		temperature=$((temperature + 1))
		answer mem1 health_info 000 000 000 007 "$(printf %03o $temperature)" 000 003 000 000 000 351 003 000 000 021 000 000 000
		for _ in $tries; do
			! curl -s --max-time 180 --unix-socket "$scratch/metrics" http://localhost/metrics |
				grep -q "^cxl_device_temperature_celsius{.*mem1.* $temperature\$" || continue 2
			sleep 0.1
		done
		fail "the devices are not read again"
	done
}

answering=$scratch/answering
"$srcdir/tests/mailbox/make-mailbox-host" "$hosts/plain-7.3.tar.zst" "$answering"
start "$answering" --listen "unix:$socket" --metrics "unix:$scratch/metrics" --poll 1
polled
grep -qF 'mem3: Get Partition Info (4100h)' "$scratch/err" || fail "no line about a device that answers wrong"
! grep -q 'mem[01]: ' "$scratch/err" || fail "complaints about devices that answer well"
before=$(grep -c 'mem[0-9]: ' "$scratch/err")

polled
for path in /redfish/v1/ "$system" "$system/Memory" "$system/Memory/cxl-000000000000abc1"; do
	request_as_is 200 GET "$path"
done
[ "$(grep -c 'mem[0-9]: ' "$scratch/err")" -eq "$before" ] || fail "reasons are repeated: $(cat "$scratch/err")"

# Other reasons are said when they come, and not again when they come back.
answer mem2 shutdown_state 007
said 1 'mem2: Get Shutdown State (4203h): the shutdown state is a reserved value'
answer mem2 shutdown_state 001
polled
answer mem2 shutdown_state 007
answer mem2 health_info 000 000 000
said 1 'mem2: Get Health Info (4200h): the output payload has fewer than 18 bytes'
said 1 'mem2: Get Shutdown State (4203h): the shutdown state is a reserved value'

# A device that is nothing but noise is still a device, and is said to be one once.
commands='identify partition_info health_info alert_config fw_info timestamp shutdown_state'
noise() { # BYTE: in octal, of which all answers are made from now on
	for command in $commands; do
		head -c 256 /dev/zero | tr '\000' "\\$1" >"$answering/mbox/mem0/$command.bin.new"
		mv "$answering/mbox/mem0/$command.bin.new" "$answering/mbox/mem0/$command.bin"
	done
	polled
}
noise 217
said 1 'mem0: Get Shutdown State (4203h): the shutdown state is a reserved value'
before=$(grep -c 'mem0: ' "$scratch/err")
for byte in 257 317; do
	noise "$byte"
done
[ "$(grep -c 'mem0: ' "$scratch/err")" -eq "$before" ] ||
	fail "other noise is said again: $(cat "$scratch/err")"
[ -z "$(sort "$scratch/err" | uniq -d)" ] || fail "lines are repeated: $(cat "$scratch/err")"
request_as_is 200 GET "$system/Memory/cxl-000000000000abc2"

# The topology is read again: nothing new about the devices.
before=$(grep -c 'mem3: ' "$scratch/err")
kill -HUP "$pid"
said 1 'the topology was read again'
polled
[ "$(grep -c 'mem3: ' "$scratch/err")" -eq "$before" ] || fail "reasons are repeated after SIGHUP"
request_as_is 200 GET "$system/Memory"

# A device that is not there any more is no error.
rm -r "$answering/mbox/mem1"
for _ in $tries; do
	curl -s --max-time 180 --unix-socket "$scratch/metrics" http://localhost/metrics |
		grep -q '^cxl_device_temperature_celsius{.*mem1' || break
	sleep 0.1
done
request_as_is 200 GET "$system/Memory"
finish
