# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# cxl-spa is killed before each of its writes to the kernel. A region that is left is never called enabled without being
# complete, and the next request removes it.
# shellcheck source=/dev/null
. /lib/vm/changes.sh
needs_program cxl-spa
needs_program fail_write.so

work=/run/killed
mkdir -p "$work"
window=$(window first)
devices=$(members 2)

# after WHAT: nothing half-made is called enabled; what is left is destroyed by our program, which can then do
# everything again.
after() {
	local region left
	same "$1: nothing half-made is enabled" "" "$(half_made)"
	left=$(regions)
	[ -z "$left" ] || check "$1: the next request destroys $left" destroy "$left"
	# shellcheck disable=SC2086 # names have no blanks
	region=$(create "$window" $mode 2 $devices)
	same "$1: a region is created after it" "1 $mode" \
		"$(cat "/sys/bus/cxl/devices/$region/commit" "/sys/bus/cxl/devices/$region/mode" 2>&1 | xargs)"
	check "$1: and destroyed" destroy "$region"
	nothing "$1: nothing is left"
}

for mode in ram pmem; do
	# shellcheck disable=SC2086
	FAIL_WRITE_LOG=$work/create failing 0 none cxl-spa region create "$window" --mode $mode --ways 2 $devices >/dev/null
	region=$(regions)
	FAIL_WRITE_LOG=$work/destroy failing 0 none cxl-spa region destroy "$region" >/dev/null
	nothing "$mode: nothing is left before"
	check "$mode: creating takes $(writes "$work/create") writes" test "$(writes "$work/create")" -ge 11
	check "$mode: destroying takes $(writes "$work/destroy") writes" test "$(writes "$work/destroy")" -ge 7

	n=1
	while [ $n -le "$(writes "$work/create")" ]; do
		attribute=$(basename "$(sed -n ${n}p "$work/create")")
		# shellcheck disable=SC2086
		same "$mode: killed before write $n, $attribute" 137 \
			"$(failing $n kill cxl-spa region create "$window" --mode $mode --ways 2 $devices)"
		after "$mode: creating, killed before $attribute"
		n=$((n + 1))
	done
	n=1
	while [ $n -le "$(writes "$work/destroy")" ]; do
		attribute=$(basename "$(sed -n ${n}p "$work/destroy")")
		# shellcheck disable=SC2086
		region=$(create "$window" $mode 2 $devices)
		same "$mode: destroying, killed before write $n, $attribute" 137 \
			"$(failing $n kill cxl-spa region destroy "$region")"
		after "$mode: destroying, killed before $attribute"
		n=$((n + 1))
	done
	rm "$work/create" "$work/destroy"
done
