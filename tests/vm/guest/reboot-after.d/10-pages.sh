# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# The second boot: the devices are in other slots, with other names, and the mapping is another one. The same address on the same device
# is another page now, and this page goes out. A device with another serial number is in the place of 0xabc3, and is left alone.
# shellcheck source=/dev/null
. /lib/vm/changes.sh
needs_redfish
needs_program cxl-redfish-page-helper
needs_program run_change

work=$RESULTS/pages
mkdir -p "$work" /run/state
cp /lib/vm/state/* /run/state/
same "the device 0xabc3 is not there" "" "$(grep -lx 0xabc3 /sys/bus/cxl/devices/mem*/serial)"
same "another one is" 1 "$(grep -lx 0xabf3 /sys/bus/cxl/devices/mem*/serial | wc -l)"
check "0xabc2 has another name" test "$(memdev 2)" != "$(cat /lib/vm/state/memdev-2)"

# 0xabc2 is below the first bridge now, alone in its region; 0xabf3 and 0xabc1 have the former window.
moved=$(create "$(window first)" ram 1 "$(memdev 2)")
dax_of "$moved"
moved_dax=$dax
same "its memory is online" "done" "$(memory online-movable "$moved" | cut -d ' ' -f 1)"
former=$(create "$(window second)" ram 1 "$(basename "$(dirname "$(grep -lx 0xabf3 /sys/bus/cxl/devices/mem*/serial)")")")
dax_of "$former"
same "that of the former window, too" "done" "$(memory online-movable "$former" | cut -d ' ' -f 1)"
same "no page is out" "" "$(frames_with "$HWPOISON" "$moved_dax" 100)$(frames_with "$HWPOISON" "$dax" 100)"

start_redfishd /run/redfish "$work/log" --allow=pages --state /run/state
# Objects of the first boot by what makes them the same: each that is still there has its URI, and the URI of another one has none.
identities >"$work/identities"
check "objects are found by their URIs" grep -q "^$(memory_of 2) .*abc2" "$work/identities"
awk 'function kind(uri) { sub("/[^/]*$", "", uri); sub(".*/", "", uri); return uri }
	NR == FNR { now[kind($1) " " $2] = $1; next }
	{ key = kind($1) " " $2; print (key in now ? (now[key] == $1 ? "same" : "moved") : "gone"), $1 }' \
	"$work/identities" /lib/vm/state/identities >"$work/fates"
same "no object of the first boot has another URI" "" "$(sed -n 's/^moved //p' "$work/fates")"
check "0xabc2 has its URI, with another name" grep -qx "same $(memory_of 2)" "$work/fates"
check "the device 0xabc3 is gone" grep -qx "gone $(memory_of 3)" "$work/fates"
for uri in $(sed -n 's/^gone //p' "$work/fates"); do
	same "$uri leads to nothing" 404 "$(ask GET "$uri")"
done
right=$(($(cat "/sys/bus/dax/devices/$moved_dax/resource") / 4096 + 32))
is_out() {
	[ "$(frame_has $right "$HWPOISON")" = 1 ]
}
check "the page that has the address now goes out" wait_for is_out
same "no other page of the device does" "$right" "$(frames_with "$HWPOISON" "$moved_dax" 100 | xargs)"
same "none of the exchanged device does" "" "$(frames_with "$HWPOISON" "$dax" 100 | xargs)"
check "the entries of the device that is away are kept" \
	sh -c "cxl-spa page list --json --state /run/state | jq -e '[.remembered[].device] | contains([\"cxl-000000000000abc3\"])'"
cxl-spa page list --state /run/state >"$work/list"
same "both are remembered" 2 "$(cxl-spa page list --json --state /run/state | jq '.remembered | length')"
stop_redfishd /run/redfish
check "the regions are destroyed" cxl-spa region destroy "$moved"
check "both" cxl-spa region destroy "$former"
