# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# page-on-online = fence, and a block that the kernel keeps: its page is taken out, and the entry says why. The region cannot be released
# afterwards, so that this is the last test.
# shellcheck source=/dev/null
. /lib/vm/changes.sh
needs_redfish
needs_program cxl-redfish-page-helper
needs_program memory_user

work=$RESULTS/page-fence-kernel
# shellcheck disable=SC2034 # of page()
state=/run/fence-kernel
mkdir -p "$work" $state /run/objects
service() {
	start_redfishd /run/redfish "$work/log-$1" --allow=pages --state $state --page-on-online fence
	wait_for grep -q "pages are taken out of use by" "$work/log-$1"
}
bad() {
	frames_with "$HWPOISON" "$dax" 100 | xargs
}

service state
stop_redfishd /run/redfish
insmod /lib/modules/pages/*hwpoison-inject.ko 2>/dev/null
region=$(create "$(window second)" ram 2 "$(memdev 2)" "$(memdev 3)")
dax_of "$region"
per_block=$(($(block_size) / 4096))
same "online, of the kernel" "done" "$(memory online-kernel "$region" | cut -d ' ' -f 1)"
memory_user kernel "$(cat "/sys/bus/dax/devices/$dax/target_node")" 20000 /run/objects >/tmp/fence-kernel 2>&1 &
user=$!
wait_for grep -q ready /tmp/fence-kernel
slab=$(frames_with "$SLAB" "$dax" 1)
check "the kernel has objects there" test -n "$slab"
block=$((${slab:-0} / per_block))
free=$(frames_with "$BUDDY" "$dax" 100000 | awk -v block=$block -v size=$per_block 'int($1 / size) == block' | tail -n 1)
same "a page of that block is taken out, and remembered" "done" "$(page offline "$free" | cut -d ' ' -f 1)"
echo "$free" >/sys/kernel/debug/hwpoison/unpoison-pfn
same "no page is marked, as when the block has come online" "" "$(bad)"
service fence
# of_kernel: an entry has the reason.
of_kernel() {
	cxl-spa page list --json --state $state | jq -r '.remembered[].reason' | grep -qF "the kernel does not take memory$block offline"
}
check "fence: the kernel keeps its block, and the reason is said" wait_for of_kernel
same "the block is online" online "$(cat /sys/devices/system/memory/memory$block/state)"
same "the page goes out instead" "$free" "$(bad)"
stop_redfishd /run/redfish
kill $user
wait $user
