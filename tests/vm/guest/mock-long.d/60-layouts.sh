# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# The layouts of the mock devices, swapped while cxl-redfishd runs: views and addresses follow.
# shellcheck source=/dev/null
. /lib/vm/mock.sh
needs_program cxl-spa

work=$RESULTS/layouts
mkdir -p "$work"
start_redfishd "$socket" "$work/log" --poll 1

# names KIND: the devices of the CXL bus whose name begins so, in one line.
names() {
	find /sys/bus/cxl/devices -maxdepth 1 -name "$1[0-9]*" -exec basename {} \; | sort | xargs
}

served_memdevs() {
	get "$host/Memory?\$expand=." | jq -r '.Members[].Name' | sort | xargs
}

# Memory that decoders map without a region of Linux is served besides, as spa-ADDRESS.
served_regions() {
	get "$host/MemoryDomains" | jq -r '.Members[]."@odata.id"' | while read -r uri; do
		get "$uri/MemoryChunks" | jq -r '.Members[]."@odata.id"'
	done | sed 's,.*/,,' | grep -v '^spa-' | sort | xargs
}

for layout in interleave_arithmetic=1 extended_linear_cache=1 fail_autoassemble=1 type2_test=1 hmem_test=1 \
	extra=1; do
	cxl-test-load extra=1 $layout >"$work/load-$layout" 2>&1
	# In place of udevd's events.
	kill -HUP "$redfishd"
	becomes "$layout: the memory devices are those of the kernel" '$names mem' served_memdevs
	becomes "$layout: the regions are those of the kernel" '$names region' served_regions
	cxl-spa list >"$work/list-$layout" 2>&1
	same "$layout: cxl-spa list" 0 $?
	cxl-spa explain >"$work/explain-$layout" 2>&1
	check "$layout: cxl-spa explain" grep -q . "$work/explain-$layout"
	# The memory of an accelerator belongs to its driver.
	[ "$layout" != type2_test=1 ] || same "$layout: its region has no problem" 0 \
		"$(cxl-spa explain --json region0 | jq .problems)"
	# Whatever is exact must come back, and lie in its region.
	for region in $(names region); do
		base=$(cat "/sys/bus/cxl/devices/$region/resource")
		size=$(cat "/sys/bus/cxl/devices/$region/size")
		[ $((size)) -gt 0 ] || continue
		for offset in 0 4096 8192 12352; do
			printf '0x%x\n' $((base + offset))
		done
	done >"$work/addresses-$layout"
	[ -s "$work/addresses-$layout" ] || continue
	cxl-spa translate --json - <"$work/addresses-$layout" >"$work/spa-$layout.json" \
		2>"$work/spa-$layout.err"
	jq -r '.[] | select(.exact == true) | "\(.memdev) \(.dpa) \(.spa)"' "$work/spa-$layout.json" \
		>"$work/exact-$layout" 2>/dev/null
	while read -r memdev dpa spa; do
		back=$(cxl-spa translate --json "$memdev" "$dpa" | jq -r '.[0] | "\(.exact) \(.spa)"')
		same "$layout: $memdev $dpa translates back" "true $spa" "$back"
	done <"$work/exact-$layout"
done
stop_redfishd "$socket"
