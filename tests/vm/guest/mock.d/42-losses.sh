# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# However the service ends after a burst of events: each record that the kernel wrote, as a second trace instance has
# it, is in the log, or an entry says how many are not. $rounds is the number of ends of each kind.
# shellcheck source=/dev/null
. /lib/vm/mock.sh
needs_program cxl-redfish-trace

rounds=${rounds:-3}
work=$RESULTS/losses
state=$work/state
instances=/sys/kernel/tracing/instances
log=$host/LogServices/CXL
mkdir -p "$state"
# Each round adds 6 times 231 entries, of about 1.3 KiB each, and the log of SQLite.
mount -t tmpfs -o size=$((20 + rounds * 4))m,mode=0700 tmpfs "$state"
new=/run/cxl-redfishd-new
cp "$(command -v cxl-redfishd)" $new

check "cxl-redfish-trace" cxl-redfish-trace
mkdir $instances/witness
echo 32768 >$instances/witness/buffer_size_kb
echo 1 >$instances/witness/events/cxl/enable

# stats INSTANCE NAME: the sum of all CPUs.
stats() {
	cat $instances/"$1"/per_cpu/cpu*/stats | awk -F ': ' -v name="$2" '$1 == name { n += $2 } END { print n + 0 }'
}

# 21 records of each device.
burst() {
	local mock
	for mock in /sys/bus/platform/devices/cxl_mem.* /sys/bus/platform/devices/cxl_rcd.*; do
		echo 1 >"$mock/event_trigger"
	done
}

# has_log: whether the service says how many entries there are; no number is not 0.
has_log() {
	[ "$(value "$log/Entries" '."Members@odata.count" | type')" = number ]
}

at_start=0 # records of the witness from before the first start of the service
# start [PROGRAM]: as start_redfishd, by a copy of the program.
start() {
	if [ $# -gt 0 ]; then
		mv "$1" /usr/bin/cxl-redfishd
		cp /usr/bin/cxl-redfishd "$1"
	fi
	start_redfishd "$socket" "$work/log" --state "$state"
}

# lost: how many records the entries are about that say how many are not in the log; entries: these.
look() {
	get "$log/Entries?\$filter=MessageId%20eq%20'CXLHost.1.0.RecordsLostAtEnd'" >"$work/lost.json"
	jq -r '"\([.Members[].MessageArgs[0] | tonumber] | add // 0) \(."Members@odata.count")"' "$work/lost.json"
}
accounted() {
	local lost entries
	has_log || return
	read -r lost entries <<-END
		$(look)
	END
	echo $(($(value "$log/Entries" '."Members@odata.count"') - entries + lost + at_start))
}
ring_is_empty() {
	[ "$(stats cxl-redfish entries)" -eq 0 ]
}

# no_entries CPU; drain: another program reads all records of the instance. Its reading never ends by itself.
no_entries() {
	grep -qx 'entries: 0' "$1/stats"
}
drain() {
	local cpu
	for cpu in $instances/cxl-redfish/per_cpu/cpu*; do
		cat "$cpu/trace_pipe_raw" >/dev/null &
		wait_for no_entries "$cpu"
		kill $!
		wait $!
	done
}

# is_stopped PID: each of its threads.
is_stopped() {
	! cat /proc/"$1"/task/*/stat | grep -qv '^[0-9]* ([^)]*) T '
}

# settles NAME: the log, and what is said to be missing, are what the kernel wrote.
settles() {
	wait_for ring_is_empty
	becomes "$1" "$(stats witness entries)" accounted
}

# ends KIND: the service ends, a time after the burst that is another one in each round.
ends() {
	case $1 in
	SIGTERM | upgrade | "full disk") kill -TERM "$redfishd" ;;
	SIGKILL) kill -KILL "$redfishd" ;;
	watchdog)
		# It hangs, and systemd ends it.
		kill -STOP "$redfishd"
		sleep 0.1
		kill -ABRT "$redfishd"
		kill -CONT "$redfishd"
		;;
	OOM)
		echo 1000 >"/proc/$redfishd/oom_score_adj"
		echo f >/proc/sysrq-trigger
		;;
	esac
	wait "$redfishd"
}

start
becomes "the service has stored how far the rings were read" 0 accounted
for kind in SIGTERM SIGKILL watchdog OOM upgrade "full disk"; do
	before=$(look)
	written=$(stats witness entries)
	round=0
	while [ $round -lt "$rounds" ]; do
		[ "$kind" != "full disk" ] || dd if=/dev/zero of="$state/full" bs=64k >/dev/null 2>&1
		burst
		sleep "0.$((round * 13 % 41 / 10))$((round * 13 % 41 % 10))"
		ends "$kind"
		rm -f "$state/full"
		if [ "$kind" = upgrade ]; then
			start $new
		else
			start
		fi
		round=$((round + 1))
		settles "$kind, round $round: each record is in the log, or is counted"
	done
	now=$(look)
	figure "records lost by $kind, of $(($(stats witness entries) - written))" $((${now% *} - ${before% *}))
	case $kind in
	SIGTERM | upgrade | "full disk") same "$kind: no record is lost" "${before% *}" "${now% *}" ;;
	esac
done

# Another reader: the number is known exactly.
before=$(look)
stop_redfishd "$socket"
burst
written=$(stats cxl-redfish entries)
drain
start
settles "records that another program read are counted"
now=$(look)
same "by their number" "$written" "$((${now% *} - ${before% *}))"
has_condition() {
	value /redfish/v1/Managers/Service 'any(.Status.Conditions[]?; .MessageId | endswith(".EventsLostAtEnd"))'
}
becomes "there is a condition" true has_condition
for entry in $(jq -r '.Members[]."@odata.id"' "$work/lost.json"); do
	curl -s --unix-socket "$socket" -X PATCH -H 'If-Match: *' -H 'Content-Type: application/json' \
		-d '{"Resolved": true}' "http://localhost$entry" >"$work/resolved"
done
becomes "until the entries are resolved" false has_condition

# While the service runs.
lost_in_rings="[.Members[].MessageArgs[1] | tonumber] | add // 0"
of_rings="$log/Entries?\$filter=MessageId%20eq%20'CXLHost.1.0.RecordsLost'"
kill -STOP "$redfishd"
wait_for is_stopped "$redfishd"
burst
written=$(stats cxl-redfish entries)
drain
kill -CONT "$redfishd"
burst
becomes "records that another program reads meanwhile are lost in the ring" "$written" value "$of_rings" "$lost_in_rings"

# A ring that is emptied, and an instance that is made anew, count from 0 again.
wait_for ring_is_empty
before=$(look)
stop_redfishd "$socket"
echo >$instances/cxl-redfish/trace
start
burst
wait_for ring_is_empty
stop_redfishd "$socket"
rmdir $instances/cxl-redfish
check "the instance is made anew" cxl-redfish-trace
start
n=$(value "$log/Entries" '."Members@odata.count"')
burst
becomes "its records are in the log" $((n + 231)) value "$log/Entries" '."Members@odata.count"'
same "and nothing is said to be lost" "${before% *}" "$(look | cut -d ' ' -f 1)"
stop_redfishd "$socket"
rmdir $instances/witness
umount "$state"
