# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# The machine is what changes.sh says, and has no regions.
# shellcheck source=/dev/null
. /lib/vm/changes.sh

same "windows" 3 "$(for one in both first second; do window $one; done | sort -u | wc -l)"
for n in 0 1 2 3; do
	directory=/sys/bus/cxl/devices/$(memdev $n)
	same "memory of device $n" "0x20000000 0x20000000" \
		"$(cat "$directory/ram/size" "$directory/pmem/size" | xargs)"
	check "labels of device $n" test "$(cat "$directory/label_storage_size")" -gt 0
done
same "regions" "" "$(regions)"
cxl list -vvv >"$RESULTS/machine.json" 2>"$RESULTS/machine.log"
