# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# With Normalized addressing firmware has locked all decoders: no region is created or destroyed, and nothing is
# written to find that out.
# shellcheck source=/dev/null
. /lib/vm/lib.sh
needs_program cxl-spa
needs_program fail_write.so
[ "$VM_FAULT" = none ] || exit 0

work=$RESULTS/changes
mkdir -p "$work"

# refused NAME COMMAND...: exit status 1, with the reason, before the first write.
refused() {
	local name=$1
	shift
	rm -f "$work/writes"
	FAIL_WRITE_LOG=$work/writes LD_PRELOAD=/usr/bin/fail_write.so "$@" >"$work/out" 2>&1
	same "$name is refused" 1 $?
	contains "$name: Normalized addressing is the reason" "Normalized addressing" "$work/out"
	check "$name: nothing was written" test ! -e "$work/writes"
}

for window in /sys/bus/cxl/devices/decoder0.*; do
	window=$(basename "$window")
	refused "a region in $window" cxl-spa region create "$window" --mode ram
done
for region in /sys/bus/cxl/devices/region*; do
	[ -e "$region" ] || continue
	region=$(basename "$region")
	refused "destroying $region" cxl-spa region destroy "$region" --force
done
