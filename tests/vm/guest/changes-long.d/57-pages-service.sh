# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# Pages that are remembered: the service takes them out again whenever the dax device is made anew, and after a restart; also
# when it, or its page helper, was killed between.
# shellcheck source=/dev/null
. /lib/vm/changes.sh
needs_redfish
needs_program cxl-redfish-page-helper
needs_program run_change

work=$RESULTS/pages-service
mkdir -p "$work" /run/pages-state
service() {
	start_redfishd /run/redfish "$work/log$1" --allow=pages --state /run/pages-state
}
service 1
region=$(create "$(window second)" ram 2 "$(memdev 2)" "$(memdev 3)")
dax_of "$region"
same "online, movable" "done" "$(memory online-movable "$region" | cut -d ' ' -f 1)"
first=$(($(cat "/sys/bus/dax/devices/$dax/resource") / 4096))
block=$(($(block_size) / 4096))

# out: how many of the remembered pages have bit 19, and how many pages of all.
out() {
	local pfn n=0
	for pfn in $pages; do
		n=$((n + $(frame_has "$pfn" "$HWPOISON")))
	done
	echo $n
}
all_out() {
	[ "$(out)" = 3 ]
}
# anew: the memory is a new dax device's. There is no udev here, whose events the service follows.
anew() {
	memory devdax "$region" >/dev/null
	memory online-movable "$region" >/dev/null
	kill -HUP "$redfishd" 2>/dev/null
}
# listed: the states of the remembered pages.
listed() {
	cxl-spa page list --json --state /run/pages-state | jq -r '.remembered[].state' | sort | uniq -c | xargs
}

# ---- remembered
pages="$((first + 16)) $((first + block + 5)) $((first + 2 * block))"
# shellcheck disable=SC2086 # several
same "three pages of two devices are taken out" "3 done" "$(page offline $pages | cut -d ' ' -f 1 | uniq -c | xargs)"
same "nothing is said on standard error" "" "$(cat "$work/page.err")"
same "bit 19 is set" 3 "$(out)"
same "they are remembered" "3 out" "$(listed)"
cxl-spa page list --state /run/pages-state >"$work/list"

# ---- a new dax device
anew
started=$(hundredths)
check "a new dax device: they are taken out again" wait_for all_out
figure "1/100 s until remembered pages were out again" $(($(hundredths) - started))
same "and no others" 3 "$(frames_with "$HWPOISON" "$dax" 100 | wc -l)"
wait_for grep -q "were taken out of use again" "$work/log1"
ask GET "$SYSTEM/LogServices/HardwareIsolation/Entries" >/dev/null
same "the log of the service has them" "3 Warning" \
	"$(answer '"\(.Members | length) \([.Members[].Severity] | unique | join(","))"')"

# ---- the helper, and the service, are killed. Without systemd nothing starts a helper again but a new service.
helper=$(pidof cxl-redfish-page-helper)
check "there is a page helper" test -n "$helper"
# shellcheck disable=SC2086 # several processes
kill -9 $helper
anew
check "the helper was killed: that pages wait for it is said" wait_for grep -q "3 remembered pages wait" "$work/log1"
same "they are in use" 0 "$(out)"
same "and remembered as before" "3 out" "$(listed)"
kill -9 "$redfishd"
wait "$redfishd"
anew
same "the service was killed: they are in use" 0 "$(out)"
rm -f /run/redfish
service 2
check "a new service takes them out again" wait_for all_out
same "no others" 3 "$(frames_with "$HWPOISON" "$dax" 100 | wc -l)"
is_listed() {
	[ "$(listed)" = "$1" ]
}
check "each is remembered once" wait_for is_listed "3 out"

# ---- brought back
[ -d /sys/kernel/debug/hwpoison ] || insmod /lib/modules/pages/*hwpoison-inject.ko
ask GET "$SYSTEM/LogServices/HardwareIsolation/Entries" >/dev/null
same "DELETE brings a page back" 204 "$(change DELETE "$(answer '.Members[0]."@odata.id"')")"
same "two are out" 2 "$(out)"
same "and remembered" "2 out" "$(listed)"
# shellcheck disable=SC2086
same "cxl-spa brings back the others" 3 "$(page online $pages | grep -cE '^(done|already) ')"
same "none is out" 0 "$(out)"
same "or remembered" "" "$(listed)"
stop_redfishd /run/redfish
check "the region is destroyed" cxl-spa region destroy "$region"
