# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# page-on-online = fence: a memory block with remembered pages goes offline before any of them is marked, so that it can come online
# again, which a block with a marked page never can. Where it cannot go offline, its pages are taken out, and the entries say why.
# There is no udev here: the service is told to read the topology again; 25-pages.sh of "systemd-changes" has the uevents.
# shellcheck source=/dev/null
. /lib/vm/changes.sh
needs_redfish
needs_program cxl-redfish-page-helper
needs_program run_change

work=$RESULTS/page-fence
mkdir -p "$work"
region=$(create "$(window second)" ram 2 "$(memdev 2)" "$(memdev 3)")
dax_of "$region"
per_block=$(($(block_size) / 4096))
first=$(($(cat "/sys/bus/dax/devices/$dax/resource") / 4096))

# service NAME: with fence; $log is its output.
service() {
	log=$work/log-$1
	start_redfishd /run/redfish "$log" --allow=pages --state "$state" --page-on-online fence
	wait_for grep -q "pages are taken out of use by" "$log"
}
# new_state NAME: pages are remembered by cxl-spa where the service has run.
new_state() {
	state=/run/fence-$1
	mkdir -p "$state"
	service "state-$1"
	stop_redfishd /run/redfish
}
# block_of PFN: the directory of its memory block.
block_of() {
	echo "/sys/devices/system/memory/memory$(($1 / per_block))"
}
is_offline() { # PFN
	[ "$(cat "$(block_of "$1")/state")" = offline ]
}
# offline: the blocks of the region that are offline, by their number in it.
offline() {
	local block
	for block in $(blocks_of "$dax"); do
		[ "$(cat "$block/state")" = online ] || echo $((${block##*memory} - first / per_block))
	done | sort -n | xargs
}
bad() {
	frames_with "$HWPOISON" "$dax" 100 | xargs
}
# anew: the memory is a new dax device's, in which no page is marked.
anew() {
	same "devdax" "done" "$(memory devdax "$region" | cut -d ' ' -f 1)"
	same "online, movable" "done" "$(memory online-movable "$region" | cut -d ' ' -f 1)"
	same "no page is marked" "" "$(bad)"
}
listed() {
	cxl-spa page list --json --state "$state" | jq -r '.remembered[].state' | sort | uniq -c | xargs
}
is_listed() {
	[ "$(listed)" = "$1" ]
}
# has_text TEXT: of an entry.
has_text() {
	cxl-spa page list --json --state "$state" | jq -r '.remembered[].reason' | grep -qF -- "$1"
}

new_state first
# ---- five blocks of eight have remembered pages; half of the memory may go offline
same "online, movable" "done" "$(memory online-movable "$region" | cut -d ' ' -f 1)"
same "it has eight blocks" "8 Movable" "$(zones_of "$dax")"
one="$((first + per_block + 5)) $((first + per_block + 900))"
three=$((first + 3 * per_block + 7))
five=$((first + 5 * per_block + 1))
six=$((first + 6 * per_block + 2))
seven=$((first + 7 * per_block + 3))
# shellcheck disable=SC2086 # several
same "six pages are taken out" "6 done" "$(page offline $one $three $five $six $seven | cut -d ' ' -f 1 | uniq -c | xargs)"
anew
service 1
check "fence: the entries of four blocks are of blocks that are offline" wait_for is_listed "5 fenced 1 out"
same "these four are offline, and no others" "1 3 5 6" "$(offline)"
same "only a page of the fifth one is marked" "$seven" "$(bad)"
check "the lost bytes are stated" has_text "$(block_size) bytes, is out of use (page-on-online = fence)"
check "that the fifth one stays is said, and why" has_text "not its memory block: no more than half"
check "the journal says both" sh -c "grep -q 'were taken offline: 4' '$log' && grep -q 'could not be taken offline: 1' '$log'"

# ---- no page was marked before
stop_redfishd /run/redfish
check "a fenced block comes online again" sh -c "echo online_movable >'$(block_of "$three")/state'"
same "none of its pages is marked" "$seven" "$(bad)"
service 2
check "fence: it is offline again after a start" wait_for is_offline "$three"
echo online_movable >"$(block_of "$three")/state"
kill -HUP "$redfishd"
check "fence: it goes offline again while the service runs" wait_for is_offline "$three"
stop_redfishd /run/redfish
echo online_movable >"$(block_of "$three")/state"
same "and still none of its pages is marked" "$seven" "$(bad)"

# ---- a block that has a marked page could not come back: it stays, and its pages go out
other=$((three + 100))
same "another page of the block is taken out without the service" "done" "$(
	state=/run/fence-none
	page offline "$other" | cut -d ' ' -f 1
)"
service 3
check "fence: a block with a marked page stays" wait_for has_text "out of use already: offline, it could not come online again"
same "its remembered page is marked instead" "$three $other $seven" "$(bad)"
same "the others are still offline" "1 5 6" "$(offline)"
stop_redfishd /run/redfish

# ---- lost data: only while nobody uses the block
new_state hard
insmod /lib/modules/pages/*hwpoison-inject.ko 2>/dev/null
node=$(cat "/sys/bus/dax/devices/$dax/target_node")
same "devdax" "done" "$(memory devdax "$region" | cut -d ' ' -f 1)"
same "online, movable" "done" "$(memory online-movable "$region" | cut -d ' ' -f 1)"
memory_user fill "$node" 4 >/tmp/fence-user &
user=$!
check "a program has memory there" wait_for grep -q ready /tmp/fence-user
used=$(frames_with "$ANON" "$dax" 1)
lost=$(frames_with "$BUDDY" "$dax" 1000000 | awk -v block=$((used / per_block)) -v size=$per_block 'int($1 / size) == block' | tail -n 1)
same "a page of the same block is taken out hard" "done free" "$(page "offline --hard" "$lost")"
echo "$lost" >/sys/kernel/debug/hwpoison/unpoison-pfn
same "no page is marked" "" "$(bad)"
service used
check "fence: a block that is in use stays" wait_for has_text "may be in use, and data in it is lost"
same "its page is marked" "$lost" "$(bad)"
stop_redfishd /run/redfish
kill $user
wait $user
same "the program lost nothing" 0 $?
anew
service unused
check "fence: the same block goes offline when nobody uses it" wait_for is_offline "$lost"
same "and no page is marked" "" "$(bad)"
stop_redfishd /run/redfish
same "devdax" "done" "$(memory devdax "$region" | cut -d ' ' -f 1)"
check "the region is destroyed" cxl-spa region destroy "$region"
