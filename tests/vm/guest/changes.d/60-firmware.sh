# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# Firmware of QEMU's device, which takes it in parts in the background, by the kernel's loader. A part is less than
# 2 KiB, and takes the device two seconds.
# shellcheck source=/dev/null
. /lib/vm/changes.sh
needs_program run_change

work=$RESULTS/firmware
mkdir -p "$work"
device=$(memdev 3)
size=9000
head -c $size /dev/urandom >"$work/image"
answer=$(printf 'kind update firmware\nobject %s\nidentity 0xabc3\nimage %s\n' "$device" "$work/image" | run_change)
echo "$answer" >"$work/answer"
if [ -d "/sys/bus/cxl/devices/$device/firmware/$device" ]; then
	slot=$(cxl list -m "$device" -F | jq '.[0].firmware.staged_slot // 0')
	same "firmware of QEMU's device is written" "outcome done" "$(grep '^outcome' "$work/answer")"
	same "cxl list shows it as staged" 2 "$slot"
	same "and so does the answer" "text it is staged in slot 2, and in force after the next reset of the device" \
		"$(grep '^text' "$work/answer")"
	same "the progress ends with all bytes" "progress $size $size bytes $device" \
		"$(grep '^progress' "$work/answer" | tail -n 1)"
else
	same "without a loader it is refused" "outcome refused" "$(grep '^outcome' "$work/answer")"
	same "with the reason" 1 "$(grep -c 'the kernel has no firmware loader for' "$work/answer")"
fi
