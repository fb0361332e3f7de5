# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# One write to the kernel after the other fails: creating leaves nothing then, and says what failed; destroying
# leaves a region as it was, or one that is not enabled and that the next request destroys.
# shellcheck source=/dev/null
. /lib/vm/changes.sh
needs_program cxl-spa
needs_program fail_write.so

work=/run/failed
mkdir -p "$work"
window=$(window first)
devices=$(members 2)
mode=pmem

# shellcheck disable=SC2086 # names have no blanks
FAIL_WRITE_LOG=$work/create failing 0 none cxl-spa region create "$window" --mode $mode --ways 2 $devices >/dev/null
FAIL_WRITE_LOG=$work/destroy failing 0 none cxl-spa region destroy "$(regions)" >/dev/null
nothing "before"

n=1
while [ $n -le "$(writes "$work/create")" ]; do
	attribute=$(basename "$(sed -n ${n}p "$work/create")")
	# shellcheck disable=SC2086
	status=$(failing $n EIO cxl-spa region create "$window" --mode $mode --ways 2 $devices)
	# libcxl writes to bind of one driver after the other, until one of them accepts the region.
	if [ "$attribute" = bind ] && [ "$status" = 0 ]; then
		check "another driver's bind fails, and it is destroyed" destroy "$(regions)"
	else
		same "creating, write $n, $attribute, fails" 1 "$status"
		contains "$attribute: what failed is said" "the region is not made: " "$work/out"
	fi
	nothing "creating, write $n, $attribute, fails: nothing is left"
	n=$((n + 1))
done

n=1
while [ $n -le "$(writes "$work/destroy")" ]; do
	attribute=$(basename "$(sed -n ${n}p "$work/destroy")")
	# shellcheck disable=SC2086
	region=$(create "$window" $mode 2 $devices)
	same "destroying, write $n, $attribute, fails" 1 "$(failing $n EIO cxl-spa region destroy "$region")"
	case $attribute/$n in
	unbind/* | commit/* | target0/*)
		same "$attribute: it is as it was" "1 cxl_region" \
			"$(cat "/sys/bus/cxl/devices/$region/commit") $(basename "$(readlink "/sys/bus/cxl/devices/$region/driver")")"
		;;
	*)
		contains "$attribute: what removes it is said" "cxl-spa region destroy $region" "$work/out"
		;;
	esac
	same "destroying, write $n, $attribute, fails: nothing half-made is enabled" "" "$(half_made)"
	check "destroying, write $n, $attribute, fails: the next request destroys it" destroy "$region"
	nothing "destroying, write $n, $attribute, fails: nothing is left"
	n=$((n + 1))
done
