# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# While a client creates or destroys a region, cxl-redfish-change-helper is killed before each of its writes to the
# kernel, and cxl-redfishd while its helper stands before each. After a restart nothing half-made is called enabled,
# and the next request finishes or undoes it.
# shellcheck source=/dev/null
. /lib/vm/changes.sh
needs_redfish
needs_program fail_write.so

work=$RESULTS/redfish-killed
mkdir -p "$work"
window=$(window first)
devices=$(members 2)

# The helper, for which FAIL_WRITE and the others are set.
helper=/run/failing-helper
cat >$helper <<'END'
#!/bin/sh
export LD_PRELOAD=/usr/bin/fail_write.so FAIL_WRITE_LOG=/run/failing-writes
[ ! -e /run/failing-by ] || read -r FAIL_WRITE FAIL_WRITE_BY </run/failing-by
export FAIL_WRITE FAIL_WRITE_BY
exec /usr/bin/cxl-redfish-change-helper "$@"
END
chmod +x $helper

# offers: whether a region can be created by the service: it has found its helper.
offers() {
	ask GET "$(chunks "$window")" >/dev/null
	header Allow | grep -qw POST
}

no_helper() {
	! pidof cxl-redfish-change-helper
}

# start [N kill|stop]: the service, whose helper is killed or stopped before its write N.
start() {
	rm -f /run/failing-by /run/failing-writes
	[ $# -eq 0 ] || echo "$*" >/run/failing-by
	CXL_REDFISH_CHANGE_HELPER=$helper start_redfishd /run/redfish "$work/log" --allow=regions,memory
	wait_for offers || not_ok "the service offers to create regions" "$(tail -n 3 "$work/log")"
}

# restart [N kill|stop]: it is killed, and its helper ends with it, after it has undone what it was doing.
restart() {
	# shellcheck disable=SC2154 # by start_redfishd
	kill -9 "$redfishd" 2>/dev/null
	wait "$redfishd" 2>/dev/null
	wait_for no_helper || not_ok "the helper ends with the service" "$(pidof cxl-redfish-change-helper)"
	rm -f /run/redfish
	cat "$work/log" >>"$work/all-logs"
	start "$@"
}

# enabled: the Ids of regions that the service calls Enabled.
enabled() {
	local members uri
	ask GET "$(chunks "$window")" >/dev/null
	members=$(answer '.Members[]."@odata.id"')
	for uri in $members; do
		ask GET "$uri" >/dev/null
		[ "$(answer .Status.State)" != Enabled ] || answer .Oem.CXLHost.KernelName
	done
}

# whole: regions that the kernel has committed and enabled.
whole() {
	local region
	for region in $(regions); do
		[ "$(cat "/sys/bus/cxl/devices/$region/commit")" != 1 ] ||
			[ ! -e "/sys/bus/cxl/devices/$region/driver" ] || echo "$region"
	done
}

# answers NAME STATUS METHOD URI [BODY]: what the request ends with; if it is another status, the answer is the reason.
answers() {
	local name=$1 expected=$2 status
	shift 2
	status=$(change "$@")
	if [ "$status" = "$expected" ]; then
		ok "$name"
	else
		not_ok "$name" "expected $expected, found $status: $(head -c 700 "$work/body")"
	fi
}

# after WHAT: with a new service.
after() {
	local left
	restart
	same "$1: nothing half-made is enabled" "" "$(half_made)"
	same "$1: Enabled is what the kernel has committed and enabled" "$(whole)" "$(enabled)"
	left=$(regions)
	[ -z "$left" ] || answers "$1: the next request destroys $left" 204 DELETE "$(chunk "$window" "$left")"
	answers "$1: a region is created after it" 201 POST "$(chunks "$window")" "$body"
	answers "$1: and destroyed" 204 DELETE "$(chunk "$window" "$(regions)")"
	nothing "$1: nothing is left"
}

# helper_is_killed WHAT METHOD URI [BODY]
helper_is_killed() {
	local what=$1
	shift
	answers "$what" 500 "$@"
	contains "$what: the answer says what is not known" "not known" "$work/body"
}

# is_stopped: whether the helper stands before its write.
is_stopped() {
	# shellcheck disable=SC2046 # one file for each process
	grep -q '^State:.T' $(pidof cxl-redfish-change-helper | sed 's,[0-9][0-9]*,/proc/&/status,g')
}

# service_is_killed WHAT METHOD URI [BODY]: the helper goes on, and finds that its client has gone.
service_is_killed() {
	local what=$1
	shift
	change "$@" >/dev/null 2>&1 &
	client=$!
	check "$what" wait_for is_stopped
	kill -9 "$redfishd"
	# shellcheck disable=SC2046
	kill -CONT $(pidof cxl-redfish-change-helper)
	wait $client
}

# at_each helper kill, at_each service stop: before each write of a POST and of a DELETE.
at_each() {
	local who=$1 by=$2 n=1
	while [ $n -le "$creating" ]; do
		restart $n "$by"
		"${who}_is_killed" "$type: the $who is killed before write $n of POST" POST "$(chunks "$window")" "$body"
		after "$type: POST, the $who, write $n"
		n=$((n + 1))
	done
	n=1
	while [ $n -le "$destroying" ]; do
		# shellcheck disable=SC2086 # names have no blanks
		region=$(create "$window" "$mode" 2 $devices)
		restart $n "$by"
		"${who}_is_killed" "$type: the $who is killed before write $n of DELETE" DELETE "$(chunk "$window" "$region")"
		after "$type: DELETE, the $who, write $n"
		n=$((n + 1))
	done
}

start
for mode in ram pmem; do
	type=Volatile
	[ $mode = ram ] || type=PMEM
	# shellcheck disable=SC2046 # names have no blanks
	body=$(body_of $type 1024 $(positions 2))
	rm -f /run/failing-writes
	answers "$type: POST" 201 POST "$(chunks "$window")" "$body"
	creating=$(writes /run/failing-writes)
	rm -f /run/failing-writes
	answers "$type: DELETE" 204 DELETE "$(chunk "$window" "$(regions)")"
	destroying=$(writes /run/failing-writes)
	check "$type: $creating and $destroying writes" test "$creating" -ge 11 -a "$destroying" -ge 7
	# The steps of both kinds are the same but for two.
	case $mode in
	ram) at_each helper kill ;;
	pmem) at_each service stop ;;
	esac
done
stop_redfishd /run/redfish
