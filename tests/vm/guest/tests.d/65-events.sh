# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# CXL events of a real kernel, through a real trace ring: poison is injected and cleared. Whether
# earlier events are recorded depends on the kernel's command line, see tests/vm/run.
# shellcheck source=/dev/null
. /lib/vm/lib.sh
needs_program cxl-redfish-trace
needs_program dump_events

instance=/sys/kernel/tracing/instances/cxl-redfish
work=$RESULTS/events
mkdir -p "$work"
n=$(find /sys/kernel/debug/cxl -maxdepth 1 -name 'mem*' | wc -l)

# poison inject|clear: one record for each device.
poison() {
	local memdev
	for memdev in /sys/kernel/debug/cxl/mem*; do
		echo 0x4000 >"$memdev/$1_poison"
	done
}

# records FILE PATTERN: the number of poison records in FILE that match.
records() {
	grep -cE "^poison(_cleared)? cxl_poison .*$2" "$1"
}

# near_now FILE: all its records have a time of day in the last 30 s.
near_now() {
	awk -v now="$(date +%s)" '
		!match($0, / wall=[0-9]+/) { print "no time of day: " $0; exit 1 }
		{ wall = substr($0, RSTART + 6, RLENGTH - 6) / 1e9 }
		wall < now - 30 || wall > now + 1 { print "not now: " $0; exit 1 }' "$1"
}

poison inject
check "cxl-redfish-trace creates the instance, or uses the existing one" cxl-redfish-trace
poison clear
check "dump_events reads the instance" sh -c "dump_events >$work/first"
same "each record after the start of the instance is read once" "$n" "$(records "$work/first" ' trace_type=0x2')"
before=$(records "$work/first" ' trace_type=0x1')
case $(cat /proc/cmdline) in
*trace_instance=*)
	same "records of an instance made at boot are kept" "$n" "$before"
	same "its clock is known" "$((2 * n))" "$(records "$work/first" ' clock=local ')"
	;;
*trace_event=*)
	dump_events /run/cxl-redfish-boot >"$work/boot" 2>"$work/boot.err"
	same "records of trace_event= are saved" "$n" "$(records "$work/boot" ' trace_type=0x1')"
	same "and are not in the instance" 0 "$before"
	same "CXL events are disabled in the top-level ring buffer" 0 \
		"$(cat /sys/kernel/tracing/events/cxl/enable)"
	;;
*)
	same "no earlier events are recorded" 0 "$before"
	same "the clock is boot" "$n" "$(records "$work/first" ' clock=boot ')"
	;;
esac
check "records have the time of day" near_now "$work/first"
same "the fields of the records" "$n" \
	"$(records "$work/first" 'memdev=mem[0-9] host=0000:.*serial=0xabc[0-3] dpa=0x4000 dpa_length=0x40 .*trace_type=0x2 ')"

# setpriv of util-linux: that of busybox does not have these options.
if [ -x /usr/bin/setpriv ]; then
	poison inject
	/usr/bin/setpriv --reuid 1000 --regid 1000 --clear-groups --bounding-set -all,+dac_read_search \
		--inh-caps -all,+dac_read_search --ambient-caps -all,+dac_read_search \
		dump_events >"$work/user" 2>"$work/user.err"
	same "CAP_DAC_READ_SEARCH is enough to read" "$n" "$(records "$work/user" '')"
	poison clear
	/usr/bin/setpriv --reuid 1000 --regid 1000 --clear-groups --bounding-set -all dump_events \
		>/dev/null 2>"$work/no_capability.err"
	contains "without it the error names it" CAP_DAC_READ_SEARCH "$work/no_capability.err"
	dump_events >/dev/null 2>&1
fi

echo 0 >$instance/tracing_on
echo 0 >$instance/events/cxl/enable
dump_events >/dev/null 2>"$work/off.err"
contains "an instance that is switched off is reported" "tracing is switched off" "$work/off.err"
check "cxl-redfish-trace switches it on again" cxl-redfish-trace
same "all events are enabled" "1 1" "$(cat $instance/tracing_on $instance/events/cxl/enable | xargs)"

# More records than a small ring can hold.
echo 8 >$instance/buffer_size_kb
rounds=40
i=0
while [ $i -lt $rounds ]; do
	poison inject
	poison clear
	i=$((i + 1))
done
dump_events >"$work/overrun"
lost=$(awk '/^lost / && match($0, / lost=[0-9]+/) { n += substr($0, RSTART + 6, RLENGTH - 6) }
	END { print n + 0 }' "$work/overrun")
check "a small ring loses records" [ "$lost" -gt 0 ]
same "each record is read or counted as lost" $((2 * rounds * n)) \
	$((lost + $(records "$work/overrun" '')))
