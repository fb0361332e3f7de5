# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# The first boot of a machine that is started a second time: pages of a region are taken out and remembered. The files that it leaves in
# $RESULTS/state are in /lib/vm/state at the second boot, where devices are in other slots.
# shellcheck source=/dev/null
. /lib/vm/changes.sh
needs_redfish
needs_program cxl-redfish-page-helper
needs_program run_change

work=$RESULTS/pages
mkdir -p "$work" "$RESULTS/state" /run/state
region=$(create "$(window second)" ram 2 "$(memdev 2)" "$(memdev 3)")
dax_of "$region"
same "online, movable" "done" "$(memory online-movable "$region" | cut -d ' ' -f 1)"
start_redfishd /run/redfish "$work/log" --allow=pages --state /run/state
wait_for grep -q "pages are taken out of use by" "$work/log"
for n in 2 3; do
	same "a page of device 0xabc$n goes out" "200 done" \
		"$(finish "$(ask POST "$(memory_of $n)/Actions/Oem/CXLHostMemory.OfflinePage" -H 'Content-Type: application/json' \
			-d "{\"DevicePhysicalAddress\": \"0x${n}0000\"}")") $(answer .Outcome)"
done
first=$(($(cat "/sys/bus/dax/devices/$dax/resource") / 4096))
same "they are those of this mapping" "$((first + 64)) $((first + 96))" "$(frames_with "$HWPOISON" "$dax" 100 | xargs)"
identities >"$RESULTS/state/identities"
check "its objects are left, too" grep -q "^$(memory_of 2) .*abc2" "$RESULTS/state/identities"
stop_redfishd /run/redfish
cp /run/state/* "$RESULTS/state/"
memdev 2 >"$RESULTS/state/memdev-2"
check "its state is left for the next boot" test -s "$RESULTS/state/state.db"
