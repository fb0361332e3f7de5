# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# How long a 2-way region takes through cxl-redfishd, from the request to the answer with the region, and by cxl
# create-region, from its start to its end; by turns. On all processors: the kernel adds the memory of a region in a
# workqueue, which on one processor would delay what follows the last step, and cxl has nothing that follows.
# shellcheck source=/dev/null
. /lib/vm/changes.sh
needs_redfish

work=$RESULTS/redfish-figures
mkdir -p "$work"
start_redfishd /run/redfish "$work/log" --allow=regions,memory
window=$(window first)
devices=$(members 2)
# shellcheck disable=SC2046 # names have no blanks
body=$(body_of Volatile 1024 $(positions 2))

# now: sets $now, in ms; without a program, whose start takes as long as other things here.
now() {
	local first second number
	while read -r first second number rest; do
		[ "$first $second" != "now at" ] || break
	done </proc/timer_list
	now=$((number / 1000000))
}

# by_redfish: the entity tag was read before, as by any client. The time of the service is what curl measured, and
# with a task what the task took; that of the client is also its own start.
by_redfish() {
	local status
	status=$(ask POST "$(chunks "$window")" -H "If-Match: $tag" -H 'Content-Type: application/json' \
		-w '%{http_code} %{time_total}' -d "$body")
	echo "${status#* }" >"$work/time"
	cp "$work/headers" "$work/first-headers"
	finish "${status% *}"
}
service_took() {
	local task
	task=$(sed -n 's,^Location: .*/TaskMonitors/,/redfish/v1/TaskService/Tasks/,Ip' "$work/first-headers" | tr -d '\r')
	if [ -z "$task" ]; then
		awk '{ printf "%d\n", $1 * 1000 }' "$work/time"
		return
	fi
	ask GET "$task" >/dev/null
	answer 'def ms: (sub("[.][0-9]+Z$"; "Z") | fromdate) * 1000 + (capture("(?<f>[.][0-9]+)Z$").f | "0" + . | tonumber * 1000);
		(.EndTime | ms) - (.StartTime | ms) | round'
}
by_cxl() {
	# shellcheck disable=SC2086 # names have no blanks
	cxl create-region -m -t ram -w 2 -d "$window" $devices
}

# took NAME: adds the time in ms to $work/NAME.
took() {
	local before
	now
	before=$now
	"by_$1" >"$work/out" 2>&1
	now
	echo $((now - before)) >>"$work/$1"
	[ "$(cat /sys/bus/cxl/devices/region*/commit)" = 1 ] || not_ok "$1 created a region" "$(cat "$work/out" "$work/body")"
}

# settle: until the service shows that there is no region, and is idle. Without udevd no event reports what cxl does.
settle() {
	# shellcheck disable=SC2154 # set by start_redfishd
	kill -HUP "$redfishd"
	wait_for no_chunks
	sleep 1
	ask GET "$(chunks "$window")" >/dev/null
	tag=$(header ETag)
}
no_chunks() {
	ask GET "$(chunks "$window")" >/dev/null
	[ "$(answer '."Members@odata.count"')" = 0 ]
}

# median NAME: of 20.
median() {
	sort -n "$work/$1" | sed -n 10p
}

n=0
while [ $n -lt 20 ]; do
	for name in cxl redfish; do
		settle
		took $name
		[ $name = cxl ] || service_took >>"$work/service"
		cxl_destroy "$(regions)" >/dev/null 2>&1
	done
	n=$((n + 1))
done
nothing "40 regions were made and taken down"
for name in cxl redfish service; do
	same "20 times were taken: $name" 20 "$(grep -cx '[0-9]*' "$work/$name")"
	figure "median of 20 2-way regions in ms: $name" "$(median $name)"
done
# At most 120 is the goal; on a busy machine single runs were at 150.
figure "the service, in percent of cxl create-region" $(($(median service) * 100 / $(median cxl)))
stop_redfishd /run/redfish
