# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# A memory block with remembered pages comes online again, and the page helper, or the service, is killed between two of its pages: all of
# them count as used meanwhile, and are out when it was started again.
# shellcheck source=/dev/null
. /lib/vm/changes.sh
needs_redfish
needs_program cxl-redfish-page-helper
needs_program udev_event
needs_program run_change

work=$RESULTS/page-block
state=/run/block-state
mkdir -p "$work" $state
region=$(create "$(window second)" ram 2 "$(memdev 2)" "$(memdev 3)")
dax_of "$region"
same "online, movable" "done" "$(memory online-movable "$region" | cut -d ' ' -f 1)"
first=$(($(cat "/sys/bus/dax/devices/$dax/resource") / 4096))
block=memory$((first / ($(block_size) / 4096)))
pages="$((first + 16)) $((first + 17)) $((first + 1000)) $((first + 3000))"
all=$(echo "$pages" | xargs -n 1 | sort -n | xargs)

# The page helper, whose sixth write is the second one after those of the start.
helper=/run/failing-block-helper
cat >$helper <<'END'
#!/bin/sh
export LD_PRELOAD=/usr/bin/fail_write.so
if [ -e /run/block-failing-by ]; then
	read -r FAIL_WRITE_BY </run/block-failing-by
	export FAIL_WRITE=6 FAIL_WRITE_BY
fi
exec /usr/bin/cxl-redfish-page-helper "$@"
END
chmod +x $helper

start() { # NAME
	log=$work/log-$1
	CXL_REDFISH_PAGE_HELPER=$helper start_redfishd /run/redfish "$log" --allow=pages --state $state
}
no_helper() {
	! pidof cxl-redfish-page-helper
}
killed() {
	kill -9 "$redfishd"
	wait "$redfishd"
	rm -f /run/redfish /run/block-failing-by
}
bad() {
	frames_with "$HWPOISON" "$dax" 100 | xargs
}
all_out() {
	[ "$(bad)" = "$all" ] && [ "$(listed)" = "4 out" ]
}
listed() {
	cxl-spa page list --json --state $state | jq -r '.remembered[].state' | sort | uniq -c | xargs
}
# anew: a new dax device. There is no udev here: the service sees no event of it.
anew() {
	same "devdax" "done" "$(memory devdax "$region" | cut -d ' ' -f 1)"
	same "online, movable" "done" "$(memory online-movable "$region" | cut -d ' ' -f 1)"
	same "no page is out" "" "$(bad)"
}

start empty
stop_redfishd /run/redfish
# shellcheck disable=SC2086 # several
same "four pages are taken out" "4 done" "$(page offline $pages | cut -d ' ' -f 1 | uniq -c | xargs)"

# ---- the process of the helper that serves is killed before its second page, and started again
anew
echo kill >/run/block-failing-by
start helper
check "they are out after the start" wait_for all_out
anew
check "the block comes online" udev_event "$block"
check "the helper is killed between two pages" wait_for grep -qF "the process that serves has ended" "$log"
check "all of them are out, and no others" wait_for all_out
check "it was not known what became of them" grep -qF "remembered pages that could not be taken out of use: 4" "$log"
killed
check "the helper ends with the service" wait_for no_helper

# ---- the service is killed while its helper stands before the second page
anew
echo stop >/run/block-failing-by
start service
check "they are out after the start, too" wait_for all_out
anew
check "the block comes online again" udev_event "$block"
is_stopped() {
	# shellcheck disable=SC2046 # one file for each process
	grep -q '^State:.T' $(pidof cxl-redfish-page-helper | sed 's,[0-9][0-9]*,/proc/&/status,g')
}
check "the helper stands between two pages" wait_for is_stopped
same "one of them is out, too" 1 "$(bad | wc -w)"
same "all count as used" "4 out" "$(listed)"
same "a fifth page is refused meanwhile" refused "$(page offline $((first + 5000)) | cut -d ' ' -f 1)"
contains "because of the limit of the block" "page-limit-block allows" "$work/page"
killed
# shellcheck disable=SC2046
kill -CONT $(pidof cxl-redfish-page-helper)
check "the helper ends" wait_for no_helper
start service-again
check "after a restart all are out, and no others" wait_for all_out
stop_redfishd /run/redfish
same "devdax" "done" "$(memory devdax "$region" | cut -d ' ' -f 1)"
check "the region is destroyed" cxl-spa region destroy "$region"
