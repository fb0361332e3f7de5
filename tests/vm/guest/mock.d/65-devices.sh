# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# Changes of memory devices, made by change_run() itself: partitions, alert thresholds, poison, enabled,
# overwriting. Each change is read back by cxl, not by us.
# shellcheck source=/dev/null
. /lib/vm/mock.sh
needs_program run_change

memdev=$(memdev_of cxl_mem.2)
mock=$(mock_of "$memdev")
used=$(memdev_of cxl_mem.0) # part of the region that is made at start
device=/sys/bus/cxl/devices/$memdev
mib=$((1 << 20))

# change NAME OUTCOME LINE...: what becomes of it. $answer is all that is printed.
change() {
	local name=$1 outcome=$2
	shift 2
	answer=$(printf '%s\n' "$@" | run_change)
	case $answer in
	*"outcome $outcome"*) ok "$name" ;;
	*) not_ok "$name" "expected '$outcome', found '$answer'" ;;
	esac
}

# because NAME TEXT: the answer has that text.
because() {
	case $answer in
	*"$2"*) ok "$1" ;;
	*) not_ok "$1" "expected '$2', found '$(echo "$answer" | sed -n 's/^text //p')'" ;;
	esac
}

# ---- who it is
change "a device that is not there is not changed" refused "kind set partition sizes" "object mem77" "volatile 0"
change "nor one with another serial number" refused "kind set partition sizes" "object $memdev" "identity 0xdead" "volatile 0"
because "because it is another one" "is another memory device now"

# ---- partitions: 2 GiB, all of which can be either, in units of 256 MiB
partitions() {
	cxl list -m "$memdev" -I | jq -c '.[0].partition_info | [.next_volatile_size // -1, .next_persistent_size // -1]'
}
change "other partitions are staged" "done" "kind set partition sizes" "object $memdev" "volatile $((1536 * mib))"
same "cxl list shows what is staged" "[$((1536 * mib)),$((512 * mib))]" "$(partitions)"
change "all of it can be persistent" "done" "kind set partition sizes" "object $memdev" "volatile 0"
same "cxl list shows that" "[-1,$((2048 * mib))]" "$(cxl list -m "$memdev" -I |
	jq -c '.[0].partition_info | [(.next_volatile_size // 0 | if . == 0 then -1 else . end), .next_persistent_size]')"
change "not more than it has" refused "kind set partition sizes" "object $memdev" "volatile $((2304 * mib))"
because "with the numbers" "2304 MiB is more than its capacity of 2048 MiB"
change "not what is no multiple of the alignment" refused "kind set partition sizes" "object $memdev" "volatile $((100 * mib))"
change "not of a device in a region" refused "kind set partition sizes" "object $used" "volatile 0"
because "which is named" "its memory is part of region"
echo "0x4101 4" >"$mock/mbox_fail"
change "what the device refuses is refused" refused "kind set partition sizes" "object $memdev" "volatile 0"
because "with its return code" "the device returned Internal Error"
echo "0 0" >"$mock/mbox_fail"

# ---- alerts
alerts() {
	cxl list -m "$memdev" -A | jq -c ".[0].alert_config.$1"
}
change "a threshold is set and enabled" "done" "kind set alert thresholds" "object $memdev" "alert over-temperature 60"
same "cxl list shows it" 60 "$(alerts dev_over_temperature_prog_warn_threshold)"
change "several at once" "done" "kind set alert thresholds" "object $memdev" "alert life-used 70" "alert under-temperature -5"
same "cxl list shows the first" 70 "$(alerts life_used_prog_warn_threshold)"
# cxl prints it without sign.
same "and the second" $((-5 & 0xffff)) "$(alerts dev_under_temperature_prog_warn_threshold)"
same "the others keep what they have" 60 "$(alerts dev_over_temperature_prog_warn_threshold)"
change "a threshold is disabled" "done" "kind set alert thresholds" "object $memdev" "alert over-temperature off"
same "cxl list shows that" false "$(alerts dev_over_temperature_prog_warn_threshold_valid)"
change "not more than 100 percent" refused "kind set alert thresholds" "object $memdev" "alert life-used 101"
change "not beyond the critical threshold" refused "kind set alert thresholds" "object $memdev" "alert over-temperature 3000"
because "with both" "critical threshold of"
echo "0x4202 2" >"$mock/mbox_fail"
change "what the device refuses is refused" refused "kind set alert thresholds" "object $memdev" "alert life-used 71"
because "with its return code" "the device returned Invalid Input"
echo "0 0" >"$mock/mbox_fail"

# ---- poison
records() {
	cxl list -m "$memdev" -L | jq -c '[.[0].media_errors[]? | [.offset // .dpa, .length]]'
}
change "poison is injected into two lines" "done" "kind inject poison" "object $memdev" "address 0x1000" "length 128"
same "the device lists them" "[[4096,64],[4160,64]]" "$(records)"
change "one line is cleared" "done" "kind clear poison" "object $memdev" "address 0x1000" "length 64"
same "the device lists the other" "[[4160,64]]" "$(records)"
change "and the other" "done" "kind clear poison" "object $memdev" "address 0x1040" "length 64"
same "the device lists none" "[]" "$(records)"
change "not beyond the end" refused "kind inject poison" "object $memdev" "address 0x7fffffc0" "length 128"
because "with the capacity" "beyond its capacity of 0x80000000"
change "not a part of a line" refused "kind inject poison" "object $memdev" "address 0x20" "length 64"
change "not more at once than 256 KiB" refused "kind clear poison" "object $memdev" "address 0" "length $mib"
umount /sys/kernel/debug
change "not without debugfs" refused "kind inject poison" "object $memdev" "address 0" "length 64"
because "which is named" "debugfs only, which must be mounted"
mount -t debugfs debugfs /sys/kernel/debug

# ---- enabled
change "a device is disabled" "done" "kind disable memory device" "object $memdev"
same "its driver is gone" no "$([ -e "$device/driver" ] && echo yes || echo no)"
change "to disable it again changes nothing" "done" "kind disable memory device" "object $memdev"
change "its partitions are not changed meanwhile" refused "kind set partition sizes" "object $memdev" "volatile 0"
because "because its decoders are not known" "enable it first"
change "nor is it overwritten" refused "kind overwrite" "object $memdev"
change "it is enabled" "done" "kind enable memory device" "object $memdev"
same "it has its driver" yes "$([ -e "$device/driver" ] && echo yes || echo no)"
change "one in a region is not disabled" refused "kind disable memory device" "object $used"
because "because of the region" "destroy the region first"

# ---- overwriting: the device is busy for as long as sanitize_timeout
echo 3000 >"$mock/sanitize_timeout"
change "a device is overwritten" "done" "kind overwrite" "object $memdev"
because "it was waited for" "progress 0 0"
same "it has ended" disabled "$(cat "$device/security/state")"
echo 0 >"$mock/sanitize_timeout"
change "a device is erased" "done" "kind secure erase" "object $memdev"
change "not one in a region" refused "kind overwrite" "object $used"
