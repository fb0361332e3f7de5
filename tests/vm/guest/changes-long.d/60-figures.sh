# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# How long a 2-way region takes: cxl create-region, cxl-spa, which plans before and shows the region after it, and what
# the helper of cxl-redfishd does, change_run() alone; by turns.
# shellcheck source=/dev/null
. /lib/vm/changes.sh
needs_program cxl-spa
needs_program run_change

work=/run/figures
mkdir -p "$work"
window=$(window first)
devices=$(members 2)
{
	printf '%s\n' "kind create region" "object $window" "mode ram" "granularity 256" "size $((2 * SHARE))"
	for memdev in $devices; do
		echo "position $memdev $(cat "/sys/bus/cxl/devices/$memdev/serial")"
	done
} >"$work/change"

# took NAME COMMAND...: adds the time in hundredths of a second to $work/NAME.
took() {
	local before name=$1
	shift
	before=$(hundredths)
	"$@" >"$work/out" 2>&1 <"$work/change"
	echo $(($(hundredths) - before)) >>"$work/$name"
	[ "$(cat /sys/bus/cxl/devices/region*/commit)" = 1 ] || not_ok "$name created a region" "$(cat "$work/out")"
	cxl_destroy "$(regions)" >/dev/null 2>&1
}

# median NAME: of 20.
median() {
	sort -n "$work/$1" | sed -n 10p
}

n=0
while [ $n -lt 20 ]; do
	# shellcheck disable=SC2086 # names have no blanks
	took cxl cxl create-region -m -t ram -w 2 -d "$window" $devices
	took change_run run_change
	# shellcheck disable=SC2086
	took spa cxl-spa region create "$window" --mode ram --ways 2 $devices
	n=$((n + 1))
done
nothing "60 regions were made and taken down"
figure "median of 20 2-way regions in 1/100 s: cxl create-region" "$(median cxl)"
figure "median of 20 2-way regions in 1/100 s: change_run()" "$(median change_run)"
figure "median of 20 2-way regions in 1/100 s: cxl-spa region create" "$(median spa)"
