# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# Pages that are remembered are taken out again by the service and its page helper in their sandboxes, when the uevents of udev
# say that the memory is online.
# shellcheck disable=SC2154 # of the files below
# shellcheck source=/dev/null
. /lib/vm/changes.sh
# shellcheck source=/dev/null
. /lib/vm/units.sh
# shellcheck source=/dev/null
. /lib/vm/units-change.sh

configure "allow = regions,memory,partitions,security,firmware,alerts,poison,pages" "page-limit-block = 2"
check "hwpoison-inject is loaded" insmod /lib/modules/pages/*hwpoison-inject.ko
check "the service is restarted, with pages" systemctl restart "$service"
check "devices are shown" wait_for is_answered 200 "$host/Memory"
region=$(create "$(window second)" ram 2 "$(memdev 2)" "$(memdev 3)")
dax_of "$region"
check "its memory is brought online" cxl-spa online "$region"
first=$(($(cat "/sys/bus/dax/devices/$dax/resource") / 4096))
pages="$((first + 16)) $((first + $(block_size) / 4096 + 5))"

# out: how many of the pages have bit 19.
out() {
	local pfn n=0
	for pfn in $pages; do
		n=$((n + $(frame_has "$pfn" "$HWPOISON")))
	done
	echo $n
}
is_out() {
	[ "$(out)" = "$1" ]
}
anew() {
	memory devdax "$region" >/dev/null
	memory online-movable "$region" >/dev/null
}

# shellcheck disable=SC2034 # of page()
state=/var/lib/cxl-redfish
# shellcheck disable=SC2086 # several
same "two pages are taken out by cxl-spa" "2 done" "$(page offline $pages | cut -d ' ' -f 1 | uniq -c | xargs)"
same "and remembered, without a warning" "" "$(cat "$work/page.err")"
anew
started=$(hundredths)
check "a new dax device: the service takes them out again" wait_for is_out 2
figure "1/100 s from the memory online to remembered pages out" $(($(hundredths) - started))
same "no others" 2 "$(frames_with "$HWPOISON" "$dax" 100 | wc -l)"
page_pid=$(main_pid cxl-redfish-page-helper.service)
same "the page helper has two capabilities, and none effective" "0000000000000000 0000000000200002 1 2" "$(process_facts "$page_pid")"
kill -9 "$page_pid"
anew
check "the helper was killed: its socket starts it, and they are out again" wait_for is_out 2
check "an entry is shown" wait_for sh -c "[ \"\$(curl -s --unix-socket $socket http://localhost$host/LogServices/HardwareIsolation/Entries | jq '.Members | length')\" = 2 ]"
entry=$(value "$host/LogServices/HardwareIsolation/Entries" '.Members[0]."@odata.id"')
answers "DELETE brings a page back, through the helper's sandbox" 204 DELETE "$entry"
same "one is out" 1 "$(out)"
journalctl --no-pager --unit cxl-redfish-page-helper >"$work/page-helper.log"
# shellcheck disable=SC2086
page online $pages >/dev/null
same "none is out" 0 "$(out)"

# ---- cxl-spa has the limits of the service's configuration
few="$((first + 20)) $((first + 21)) $((first + 22))"
# shellcheck disable=SC2086
same "a third page of a block is refused" "2 done 1 refused" "$(page offline $few | cut -d ' ' -f 1 | uniq -c | xargs)"
contains "by page-limit-block" "as page-limit-block allows" "$work/page"
same "it is in use" 0 "$(frame_has $((first + 22)) "$HWPOISON")"
# shellcheck disable=SC2086
page online $few >/dev/null
same "no page is out" "" "$(frames_with "$HWPOISON" "$dax" 100 | xargs)"
check "the region is removed" cxl-spa region destroy "$region"
